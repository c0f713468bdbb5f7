cd "$DATA/folded" && fgtool diff simple.folded simple.folded --to folded
