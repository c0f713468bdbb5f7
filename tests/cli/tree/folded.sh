cd "$DATA/folded" && fgtool tree simple.folded
