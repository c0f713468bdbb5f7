fgtool info --from pprf "$DATA/pprof/tiny.pb"
