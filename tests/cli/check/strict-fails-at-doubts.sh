cd "$DATA/pprof" && fgtool check --strict tiny.pb
