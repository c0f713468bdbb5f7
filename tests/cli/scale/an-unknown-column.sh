fgtool scale --factor cpu=2 "$DATA/folded/simple.folded"
