cd "$DATA/pprof" && fgtool list
