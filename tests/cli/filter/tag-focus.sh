fgtool filter --tag-focus route=/report -o x.pb "$DATA/pprof/go-cpu.pb.gz"
