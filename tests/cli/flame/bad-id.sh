fgtool flame --id-prefix "a b" "$DATA/folded/simple.folded"
