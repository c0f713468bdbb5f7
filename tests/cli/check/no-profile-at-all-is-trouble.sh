cd "$DATA/pprof" && fgtool check bad/page.html
