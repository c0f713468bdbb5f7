fgtool scale --factor after=-2 -o x.pb "$DATA/folded/diff.folded"
fgtool filter --sample-type before --to folded x.pb 2>/dev/null; fgtool filter --sample-type after --to folded x.pb 2>/dev/null
