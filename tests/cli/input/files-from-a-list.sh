cd "$DATA/pprof" && printf 'go-heap-1.pb.gz\n\ngo-heap-2.pb.gz' >"$OLDPWD/list"
[ "$(fgtool digest --files-from "$OLDPWD/list")" = "$(fgtool digest go-heap-1.pb.gz go-heap-2.pb.gz)" ]
