fgtool filter --sample-type cpu,cpu "$DATA/pprof/go-cpu.pb.gz"
