cd "$DATA/pprof" && fgtool convert --to folded bad/overflow.pb
