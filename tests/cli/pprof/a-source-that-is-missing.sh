cd "$DATA/pprof" && fgtool pprof -top -nodecount=2 nowhere.pb go-mutex.pb.gz
