fgtool filter --focus "zzz(" --to folded "$DATA/folded/simple.folded"
