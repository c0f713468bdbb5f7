cd "$DATA/pprof" && for f in concat.pb.gz delimited.pb; do fgtool digest $f; done && fgtool digest go-heap-1.pb.gz go-heap-2.pb.gz
