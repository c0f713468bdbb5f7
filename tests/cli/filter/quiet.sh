fgtool filter -q --focus parse --to folded "$DATA/folded/simple.folded"
