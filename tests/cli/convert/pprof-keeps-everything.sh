cd "$DATA/pprof" && for f in *.pb*; do fgtool convert "$f" 2>/dev/null | fgtool digest >"$OLDPWD/a" && fgtool digest "$f" 2>/dev/null | diff - "$OLDPWD/a"; done
