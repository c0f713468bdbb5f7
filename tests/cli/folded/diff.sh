cd "$DATA/folded" && fgtool convert --to folded diff.folded
