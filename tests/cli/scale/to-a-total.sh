fgtool scale --to-total 110 --to folded "$DATA/folded/simple.folded"
