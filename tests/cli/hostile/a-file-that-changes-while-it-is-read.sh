cp "$DATA/pprof/go-cpu.pb.gz" good; for i in 1 2 3 4 5 6 7 8; do { head -c $((i * 1000)) good >x; cat good >x; } & fgtool top x >out 2>err || [ $? -eq 2 ]; wait; done
