cd "$DATA/pprof" && fgtool tree empty-profile.pb
