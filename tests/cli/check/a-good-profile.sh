cd "$DATA/pprof" && fgtool check go-cpu.pb.gz
