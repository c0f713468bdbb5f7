fgtool scale --factor=1/3 --to folded "$DATA/folded/simple.folded"
