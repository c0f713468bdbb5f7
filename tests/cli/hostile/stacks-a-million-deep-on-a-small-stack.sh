{ yes 'f;' | head -n 1048575 | tr -d '\n'; echo 'f 1'; } >deep.folded
ulimit -s 256; for c in top flame check digest; do fgtool $c deep.folded >$c.out || echo "$c: $?"; done; head -c 11 top.out
