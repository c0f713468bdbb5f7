cd "$DATA/folded" && fgtool merge --to folded simple.folded no-newline.folded crlf.folded
