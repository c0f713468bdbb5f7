cd "$DATA/pprof" && fgtool top empty-profile.pb
