cd "$DATA/folded" && fgtool convert --to folded crlf.folded
