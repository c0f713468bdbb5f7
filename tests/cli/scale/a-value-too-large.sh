fgtool scale --factor 1e18 "$DATA/folded/diff.folded"
