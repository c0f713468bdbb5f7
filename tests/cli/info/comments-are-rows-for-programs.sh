cd "$DATA/folded" && fgtool info --format csv austin.folded
