cd "$DATA/pprof" && fgtool pprof -symbolize=none -comments -add_comment='one more' go-mutex.pb.gz
