cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -nodecount=15 -tagroot=route -tagleaf=worker go-cpu.pb.gz
