cd "$DATA/pprof" && fgtool top bad/overflow.pb
