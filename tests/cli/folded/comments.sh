cd "$DATA/folded" && fgtool convert --to folded comments.folded
