printf 'b;c 1\na 2\nb;c 3\n' | fgtool convert --to folded
