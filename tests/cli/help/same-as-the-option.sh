fgtool help version >a && fgtool version --help | cmp - a && fgtool --help >b && fgtool help | cmp - b
