cd "$DATA/pprof" && fgtool check no-samples.pb
