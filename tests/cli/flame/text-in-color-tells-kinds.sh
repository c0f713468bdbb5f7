fgtool flame --to text --color always "$DATA/folded/annotations.folded"
