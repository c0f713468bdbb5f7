echo old >x.pb && cd "$DATA/pprof" && ! fgtool merge -o "$OLDPWD/x.pb" tiny.pb bad/cut.pb
cd "$OLDPWD" && cat x.pb && ls -A
