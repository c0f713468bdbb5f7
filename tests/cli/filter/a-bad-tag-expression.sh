fgtool filter --tag-ignore "k=a,b[" --to folded "$DATA/folded/simple.folded"
