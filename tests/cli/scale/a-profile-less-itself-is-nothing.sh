fgtool scale -f -1 -o minus.pb "$DATA/folded/simple.folded"
fgtool merge --to folded minus.pb "$DATA/folded/simple.folded"
