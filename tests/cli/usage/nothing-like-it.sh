fgtool qqqqq
