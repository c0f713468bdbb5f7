cd "$DATA/pprof" && fgtool info no-samples.pb
