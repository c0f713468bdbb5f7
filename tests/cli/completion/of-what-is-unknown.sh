fgtool __complete nothing --f
fgtool __complete zzz
fgtool __complete | cut -f1 | grep -x help
