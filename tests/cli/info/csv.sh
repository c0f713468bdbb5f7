cd "$DATA/pprof" && fgtool info --format csv go-cpu.pb.gz
