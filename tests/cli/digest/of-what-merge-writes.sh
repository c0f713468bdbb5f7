cd "$DATA/pprof" && fgtool merge --compress none go-cpu.pb.gz | sha256sum && fgtool digest go-cpu.pb.gz
