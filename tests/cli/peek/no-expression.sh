cd "$DATA/pprof" && fgtool peek
