fgtool filter --show-from parse --to folded "$DATA/folded/simple.folded"
