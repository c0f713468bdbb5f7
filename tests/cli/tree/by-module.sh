cd "$DATA/pprof" && fgtool tree --by module go-cpu.pb.gz
