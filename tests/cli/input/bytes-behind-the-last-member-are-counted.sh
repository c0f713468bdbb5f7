cd "$DATA/pprof" && fgtool digest tiny.pb && fgtool digest trailing-garbage.pb.gz
