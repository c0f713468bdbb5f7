fgtool digest "$DATA/pprof/tiny.pb" >/dev/full
