fgtool convert -o x.folded "$DATA/pprof/go-cpu.pb.gz"; LC_ALL=C sort -c x.folded && head -n 3 x.folded
