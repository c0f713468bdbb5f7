cd "$DATA/pprof" && fgtool list main.digest go-cpu.pb.gz
