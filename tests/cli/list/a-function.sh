cd "$DATA/pprof" && fgtool list --source-path ../src main.digest go-cpu.pb.gz
