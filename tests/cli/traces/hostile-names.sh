cd "$DATA/pprof" && fgtool traces -n 4 hostile-names.pb.gz | cut -c1-60
