fgtool merge -o /dev/stdout "$DATA/folded/simple.folded" | fgtool info | head -n 2
fgtool merge -o /dev/stdout --to folded "$DATA/folded/simple.folded" >out && cat out
