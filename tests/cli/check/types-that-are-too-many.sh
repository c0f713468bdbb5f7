cd "$DATA/pprof" && fgtool check --types samples,cpu,wall go-cpu.pb.gz
