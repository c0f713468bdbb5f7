fgtool merge "$DATA/pprof/tiny.pb" >/dev/full
