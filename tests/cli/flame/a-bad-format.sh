fgtool flame --to gif "$DATA/folded/simple.folded"
