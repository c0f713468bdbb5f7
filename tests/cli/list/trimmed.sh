cd "$DATA/pprof" && fgtool list --source-path ../src/goserver --trim-path goserver/ main.digest go-cpu.pb.gz
