cd "$DATA/pprof" && fgtool info bad/overflow.pb tiny.pb
