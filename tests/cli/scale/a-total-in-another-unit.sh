fgtool scale --to-total 60s "$DATA/folded/simple.folded"
