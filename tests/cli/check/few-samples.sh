cd "$DATA/pprof" && fgtool check tiny.pb
