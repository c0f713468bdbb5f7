cd "$DATA/pprof" && cat go-heap-2.pb.gz | fgtool merge - go-heap-1.pb.gz | fgtool digest && cat go-heap-1.pb.gz | fgtool merge go-heap-2.pb.gz - | fgtool digest
