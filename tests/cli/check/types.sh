cd "$DATA/pprof" && fgtool check --types samples,cpu go-cpu.pb.gz
