fgtool convert --to folded "$DATA/folded/fractional.folded"
