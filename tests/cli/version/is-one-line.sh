fgtool version | grep -cx 'fgtool [0-9]*\.[0-9]*\.[0-9]*'
fgtool version >a && fgtool --version | cmp - a
