fgtool scale --factor -1 --to folded "$DATA/folded/simple.folded"
