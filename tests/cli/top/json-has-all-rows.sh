cd "$DATA/pprof" && fgtool top --format json go-heap-2.pb.gz | grep -c '"flat":'
