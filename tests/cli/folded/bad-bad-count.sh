cd "$DATA/folded/bad" && fgtool convert --to folded --from folded bad-count.folded
