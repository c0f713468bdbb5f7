cd "$DATA/pprof" && fgtool top go-cpu.pb.gz go-cpu-after.pb.gz >"$OLDPWD/a" && fgtool top go-cpu-after.pb.gz go-cpu.pb.gz | cmp - "$OLDPWD/a"
