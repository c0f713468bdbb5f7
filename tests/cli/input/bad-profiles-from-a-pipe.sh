cd "$DATA/pprof/bad"
for f in *; do status=0; cat "$f" | fgtool digest >/dev/null 2>"$OLDPWD/err" || status=$?; echo "$f: $status $(cat "$OLDPWD/err")"; done | sed 's/fgtool: standard input: //; s/from .* kB//' >"$OLDPWD/piped"
for f in *; do status=0; fgtool digest "$f" >/dev/null 2>"$OLDPWD/err" || status=$?; echo "$f: $status $(cat "$OLDPWD/err")"; done | sed 's/fgtool: [^:]*: //; s/from .* kB//' | diff - "$OLDPWD/piped"
