fgtool flame --to text -o x.svg "$DATA/folded/simple.folded" && head -n 2 x.svg
