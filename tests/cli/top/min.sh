cd "$DATA/pprof" && fgtool top --min 10% go-cpu.pb.gz
