cd "$DATA/folded" && fgtool info austin.folded
