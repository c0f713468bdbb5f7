fgtool help >/dev/full
