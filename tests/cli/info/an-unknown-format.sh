fgtool info --format yaml "$DATA/pprof/tiny.pb"
