cd "$DATA/folded" && fgtool tree --format json simple.folded
