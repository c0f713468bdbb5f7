cd "$DATA/pprof" && fgtool top -n 2 go-cpu.pb.gz -o "$OLDPWD/top.txt"; cat "$OLDPWD/top.txt"
