cat "$DATA/pprof/go-cpu.pb.gz" | fgtool info | sed -n 1,4p
