fgtool merge --to delimited "$DATA/pprof/tiny.pb"
