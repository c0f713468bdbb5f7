cp "$DATA"/pprof/go-cpu*.pb.gz . && fgtool diff go-cpu.pb.gz go-cpu-after.pb.gz -o d.pb.gz && fgtool diff go-cpu.pb.gz d.pb.gz
