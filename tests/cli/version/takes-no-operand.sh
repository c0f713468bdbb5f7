fgtool version 2
