cd "$DATA/pprof" && fgtool check bad/overflow.pb
