fgtool info - - <"$DATA/pprof/tiny.pb"
