fgtool merge --order alphabetic "$DATA/pprof/tiny.pb"
