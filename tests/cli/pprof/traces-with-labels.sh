cd "$DATA/pprof" && fgtool pprof -symbolize=none -traces -focus='main.digest' go-cpu.pb.gz | head -60
