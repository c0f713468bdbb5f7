cd "$DATA/pprof" && fgtool tags -n 2 --format csv go-cpu.pb.gz
