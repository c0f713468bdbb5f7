(ulimit -f 1 && fgtool merge -o x.pb "$DATA/pprof/go-cpu.pb.gz") || ls -A
