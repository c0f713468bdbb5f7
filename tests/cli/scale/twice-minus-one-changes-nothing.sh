fgtool scale -f -1 "$DATA/pprof/go-heap-1.pb.gz" | fgtool scale -f -1 -o two.pb
fgtool digest "$DATA/pprof/go-heap-1.pb.gz" | cut -d" " -f1 >a; fgtool digest two.pb | cut -d" " -f1 >b; cmp a b
