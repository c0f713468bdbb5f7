fgtool filter --hide parse --to folded "$DATA/folded/simple.folded"
