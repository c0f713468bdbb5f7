cd "$DATA/pprof" && fgtool top --by module go-cpu.pb.gz
