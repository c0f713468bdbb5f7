fgtool info --max-input lots "$DATA/pprof/tiny.pb"
