fgtool flame --by foo "$DATA/folded/simple.folded"
