fgtool filter -o x.pb "$DATA/pprof/go-cpu.pb.gz"
fgtool digest "$DATA/pprof/go-cpu.pb.gz" | cut -d" " -f1 >a; fgtool digest x.pb | cut -d" " -f1 >b; cmp a b
