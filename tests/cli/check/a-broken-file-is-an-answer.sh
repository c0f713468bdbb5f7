cd "$DATA/pprof" && fgtool check bad/missing-location.pb
