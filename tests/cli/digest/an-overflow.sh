cd "$DATA/pprof" && fgtool digest bad/overflow.pb
