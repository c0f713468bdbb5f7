cd "$DATA/folded/bad" && fgtool convert --to folded --from folded empty.folded
