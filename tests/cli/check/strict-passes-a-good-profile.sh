cd "$DATA/pprof" && fgtool check --strict go-cpu.pb.gz
