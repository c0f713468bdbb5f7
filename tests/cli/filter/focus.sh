fgtool filter --focus parse --to folded "$DATA/folded/simple.folded"
