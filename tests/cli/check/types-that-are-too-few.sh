cd "$DATA/pprof" && fgtool check --types samples go-cpu.pb.gz
