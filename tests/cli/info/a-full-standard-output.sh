fgtool info "$DATA/pprof/tiny.pb" >/dev/full
