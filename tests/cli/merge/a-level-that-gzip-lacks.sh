fgtool merge --level 15 -o x.pb.gz "$DATA/pprof/tiny.pb"
