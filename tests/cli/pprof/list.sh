cd "$DATA/pprof" && fgtool pprof -symbolize=none -list=main.digest -source_path=../src -trim_path=/ go-cpu.pb.gz
