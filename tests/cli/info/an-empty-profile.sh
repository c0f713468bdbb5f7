cd "$DATA/pprof" && fgtool info empty-profile.pb && fgtool info --format json empty-profile.pb
