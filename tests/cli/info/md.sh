cd "$DATA/pprof" && fgtool info --format md tiny.pb
