cd "$DATA/folded" && fgtool tree --format md simple.folded
