cd "$DATA/folded" && fgtool convert --to folded unicode.folded
