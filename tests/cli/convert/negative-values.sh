cd "$DATA/pprof" && fgtool convert --to folded negative.pb 2>/dev/null
