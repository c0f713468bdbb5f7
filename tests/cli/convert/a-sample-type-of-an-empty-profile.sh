cd "$DATA/pprof" && fgtool convert --to folded --sample-type samples empty-profile.pb
