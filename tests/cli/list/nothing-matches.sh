cd "$DATA/pprof" && fgtool list main.digset go-cpu.pb.gz
