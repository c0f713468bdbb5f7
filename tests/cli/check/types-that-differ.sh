cd "$DATA/pprof" && fgtool check --types cpu,samples go-cpu.pb.gz
