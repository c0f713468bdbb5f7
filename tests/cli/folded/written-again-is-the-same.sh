for f in "$DATA"/folded/*.folded; do
fgtool convert -o 1.folded "$f" 2>/dev/null && fgtool convert -o 2.folded 1.folded 2>/dev/null && cmp 1.folded 2.folded; done
