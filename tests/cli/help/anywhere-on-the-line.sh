fgtool version --bogus x -h | head -n 1
fgtool version -- -h
