cd "$DATA/folded" && fgtool tree --format csv simple.folded
