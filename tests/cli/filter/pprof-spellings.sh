fgtool filter -show_from=parse -tagignore=x:y --to folded "$DATA/folded/simple.folded"
