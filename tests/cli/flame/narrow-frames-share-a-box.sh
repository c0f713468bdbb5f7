i=0
while [ $i -lt 40 ]; do echo "main;f$i 1"; i=$((i + 1)); done >many.folded
echo "main 9000" >>many.folded
fgtool flame --bare many.folded
