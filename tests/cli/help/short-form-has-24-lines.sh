fgtool -h | awk 'END { if (NR > 24) print NR " lines" }'
fgtool -h | grep -c '^  fgtool '
