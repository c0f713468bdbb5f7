fgtool filter --prune-from parse --to folded "$DATA/folded/simple.folded"
