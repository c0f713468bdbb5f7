cd "$DATA/pprof" && fgtool check --format json tiny.pb && fgtool check --format json go-cpu.pb.gz
