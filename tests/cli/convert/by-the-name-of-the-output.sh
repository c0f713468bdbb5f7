fgtool convert -o x.folded "$DATA/folded/simple.folded" && cat x.folded
