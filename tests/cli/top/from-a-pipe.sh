cd "$DATA/pprof" && cat go-cpu.pb.gz | fgtool top >"$OLDPWD/pipe" && fgtool top go-cpu.pb.gz | cmp - "$OLDPWD/pipe"
