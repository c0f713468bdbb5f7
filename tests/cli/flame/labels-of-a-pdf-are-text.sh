command -v pdftotext >/dev/null || { echo "skip: no pdftotext"; exit; }
fgtool flame -o x.pdf "$DATA/folded/simple.folded" && pdftotext -raw x.pdf - | tr -s ' \f' '\n' | sort
