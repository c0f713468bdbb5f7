fgtool flame --to text "$DATA/folded/simple.folded"
