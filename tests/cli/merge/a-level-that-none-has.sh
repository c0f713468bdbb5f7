fgtool merge --level 20 "$DATA/pprof/tiny.pb"
