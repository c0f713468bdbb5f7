fgtool help >&-
