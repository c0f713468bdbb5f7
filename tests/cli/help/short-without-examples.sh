fgtool version -h
