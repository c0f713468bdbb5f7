cd "$DATA/pprof" && fgtool convert --to folded tiny.pb
