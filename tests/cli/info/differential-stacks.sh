cd "$DATA/folded" && fgtool info diff.folded
