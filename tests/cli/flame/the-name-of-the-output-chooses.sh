for suffix in svg html htm png pdf txt dat; do fgtool flame -o x.$suffix "$DATA/folded/simple.folded"; done
for suffix in svg html htm png pdf txt dat; do printf '%s: ' $suffix; head -c 16 x.$suffix | head -n 1 | tr -cd ' -~' && echo; done
