cd "$DATA/pprof" && fgtool top negative.pb negative.pb
