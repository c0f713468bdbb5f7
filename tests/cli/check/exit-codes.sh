cd "$DATA/pprof" && for f in tiny.pb bad/*; do status=0; fgtool check "$f" >/dev/null 2>&1 || status=$?; echo "$status $f"; done
