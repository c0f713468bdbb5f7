fgtool help version
