cd "$DATA/pprof" && fgtool tree negative.pb
