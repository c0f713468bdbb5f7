fgtool filter --show "main|strtol" --to folded "$DATA/folded/simple.folded"
