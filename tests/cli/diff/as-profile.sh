cd "$DATA/pprof" && fgtool diff go-heap-1.pb.gz go-heap-2.pb.gz -o "$OLDPWD/c.pb.gz"; fgtool top -n 4 "$OLDPWD/c.pb.gz"
