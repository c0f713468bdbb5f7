cd "$DATA/pprof" && fgtool traces --format json tiny.pb
