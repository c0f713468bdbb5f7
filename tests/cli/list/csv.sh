cd "$DATA/pprof" && fgtool list --source-path ../src --format csv main.digest go-cpu.pb.gz
