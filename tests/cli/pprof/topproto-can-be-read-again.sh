cd "$DATA/pprof" && fgtool pprof -topproto -nodecount=5 go-cpu.pb.gz | fgtool top -n 5 --sample-type flat -
