cd "$DATA/pprof"
[ "$(echo go-heap-2.pb.gz | fgtool digest go-heap-1.pb.gz --files-from -)" = "$(fgtool digest go-heap-1.pb.gz go-heap-2.pb.gz)" ]
