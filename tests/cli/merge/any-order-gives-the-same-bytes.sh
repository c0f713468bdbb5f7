cd "$DATA/pprof" && fgtool merge -o "$OLDPWD/a.pb" go-cpu.pb.gz go-cpu-after.pb.gz
fgtool merge -o "$OLDPWD/b.pb" go-cpu-after.pb.gz go-cpu.pb.gz && cmp "$OLDPWD/a.pb" "$OLDPWD/b.pb"
