cd "$DATA/pprof" && fgtool list --map-path goserver=../src/goserver main.digest go-cpu.pb.gz
