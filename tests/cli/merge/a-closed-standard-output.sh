fgtool merge "$DATA/pprof/tiny.pb" >&-
