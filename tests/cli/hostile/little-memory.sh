seq 400000 | sed 's/.*/main;f&;g& &/' >in.folded; (ulimit -v 120000; fgtool version >/dev/null 2>&1) || { echo 'skip: needs more memory to start'; exit; }
for c in check merge flame tree; do (ulimit -v 120000; fgtool $c in.folded >out) && echo "$c: enough" || echo "$c: $?"; done
