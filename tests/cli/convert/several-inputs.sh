cd "$DATA/folded" && fgtool convert --to folded simple.folded simple.folded
