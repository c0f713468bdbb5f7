cd "$DATA/folded" && fgtool info fractional.folded
