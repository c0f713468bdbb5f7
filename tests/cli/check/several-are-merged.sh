cd "$DATA/pprof" && fgtool check go-cpu.pb.gz go-cpu-after.pb.gz
