fgtool 2>&1 | head -n 3
fgtool 2>/dev/null
