fgtool flame --bare --icicle --reverse --title "Who & what" --subtitle "<us>" "$DATA/folded/simple.folded"
