fgtool scale --factor 1 -o one.pb "$DATA/pprof/go-heap-1.pb.gz"
fgtool digest "$DATA/pprof/go-heap-1.pb.gz" | cut -d" " -f1 >a; fgtool digest one.pb | cut -d" " -f1 >b; cmp a b
