cd "$DATA/folded" && fgtool convert --to folded spaces.folded
