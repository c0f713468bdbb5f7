cd "$DATA/folded" && fgtool convert --to folded empty-frames.folded
