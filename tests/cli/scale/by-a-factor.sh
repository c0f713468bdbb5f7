fgtool scale --factor 2 --to folded "$DATA/folded/simple.folded"
