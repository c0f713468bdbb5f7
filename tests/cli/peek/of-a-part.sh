cd "$DATA/pprof" && fgtool peek --tag-focus route=/report mallocgc$ go-cpu.pb.gz
