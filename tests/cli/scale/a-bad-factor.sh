fgtool scale --factor 1x "$DATA/folded/simple.folded"
