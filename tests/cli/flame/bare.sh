fgtool flame --bare "$DATA/folded/simple.folded"
