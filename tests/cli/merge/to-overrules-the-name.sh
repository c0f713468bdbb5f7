fgtool merge --to folded -o merged "$DATA/folded/simple.folded" && cat merged
