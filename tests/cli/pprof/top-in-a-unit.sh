cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -unit=kb -divide_by=2 -nodecount=5 go-heap-1.pb.gz
