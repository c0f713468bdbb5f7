fgtool scale "$DATA/folded/simple.folded"
