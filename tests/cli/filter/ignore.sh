fgtool filter --ignore "^strtol$" --to folded "$DATA/folded/simple.folded"
