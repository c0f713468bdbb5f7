cd "$DATA/pprof" && fgtool pprof -proto -focus=mallocgc -tagroot=route go-cpu.pb.gz | fgtool top -n 5 -
