cd "$DATA/pprof" && fgtool info concat.pb.gz | grep Profiles && fgtool info delimited.pb | grep Profiles
