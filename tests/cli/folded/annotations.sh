cd "$DATA/folded" && fgtool convert --to folded annotations.folded
