cd "$DATA/folded" && fgtool info --max-input 20 simple.folded
