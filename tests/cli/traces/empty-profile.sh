cd "$DATA/pprof" && fgtool traces no-samples.pb
