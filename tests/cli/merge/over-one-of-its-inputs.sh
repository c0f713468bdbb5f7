cp "$DATA/pprof/go-heap-1.pb.gz" sum.pb.gz && fgtool merge -o sum.pb.gz sum.pb.gz "$DATA/pprof/go-heap-2.pb.gz" && fgtool digest sum.pb.gz && ls -A
fgtool digest "$DATA/pprof/go-heap-1.pb.gz" "$DATA/pprof/go-heap-2.pb.gz"
