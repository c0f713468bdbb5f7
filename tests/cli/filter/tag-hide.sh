fgtool filter --tag-hide worker -o x.pb "$DATA/pprof/go-cpu.pb.gz"
