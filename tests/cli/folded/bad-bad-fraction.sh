cd "$DATA/folded/bad" && fgtool convert --to folded --from folded bad-fraction.folded
