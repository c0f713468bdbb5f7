cp "$DATA/pprof/go-cpu.pb.gz" x.pb.gz; fgtool merge -o x.pb.gz x.pb.gz x.pb.gz x.pb.gz x.pb.gz; fgtool info x.pb.gz | sed -n '/^sample type/,$p'
