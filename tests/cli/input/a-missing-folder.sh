fgtool info nosuch/go-cpu.pb.gz
