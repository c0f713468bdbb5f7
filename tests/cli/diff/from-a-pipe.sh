cd "$DATA/pprof" && cat go-heap-2.pb.gz | fgtool diff go-heap-1.pb.gz - -n 2
