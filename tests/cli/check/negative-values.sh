cd "$DATA/pprof" && fgtool check negative.pb
