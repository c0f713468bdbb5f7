cd "$DATA/pprof" && fgtool check --format md negative.pb && fgtool check --format md go-cpu.pb.gz
