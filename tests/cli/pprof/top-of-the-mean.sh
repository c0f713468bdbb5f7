cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -mean -nodecount=10 go-block.pb.gz
