cd "$DATA/folded" && fgtool convert --to folded fractional.folded
