cd "$DATA/pprof" && fgtool merge --order pprof -o "$OLDPWD/a.pb" go-heap-2.pb.gz go-heap-1.pb.gz
fgtool merge -o "$OLDPWD/b.pb" go-heap-2.pb.gz go-heap-1.pb.gz && ! cmp -s "$OLDPWD/a.pb" "$OLDPWD/b.pb"
[ "$(fgtool merge --order pprof go-heap-2.pb.gz go-heap-1.pb.gz | fgtool digest)" = "$(fgtool digest go-heap-1.pb.gz go-heap-2.pb.gz)" ]
