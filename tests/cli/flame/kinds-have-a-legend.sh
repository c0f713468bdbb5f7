fgtool flame --bare "$DATA/folded/annotations.folded"
