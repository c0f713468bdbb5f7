cd "$DATA/pprof" && fgtool top no-samples.pb
