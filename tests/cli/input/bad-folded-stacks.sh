cd "$DATA/folded/bad"
for f in *; do status=0; fgtool digest "$f" >/dev/null 2>"$OLDPWD/err" || status=$?; echo "$status $(cat "$OLDPWD/err")"; done | sed 's/ (67 MB from .* kB)//'
