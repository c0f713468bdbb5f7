cd "$DATA/pprof" && fgtool convert --to folded hostile-names.pb.gz 2>/dev/null | cut -c 1-200 | cat -v
