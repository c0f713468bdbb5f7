cd "$DATA/pprof" && fgtool check --heap go-cpu.pb.gz
