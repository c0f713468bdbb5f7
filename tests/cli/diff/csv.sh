cd "$DATA/pprof" && fgtool diff --format csv go-mutex.pb.gz go-mutex.pb.gz | head -n 3
