printf 'inuse_space/bytes\nmain;old 10\n' >a.folded && cd "$DATA/pprof" && fgtool merge --common-types go-heap-1.pb.gz "$OLDPWD/a.folded"
