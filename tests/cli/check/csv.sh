cd "$DATA/pprof" && fgtool check --format csv negative.pb
