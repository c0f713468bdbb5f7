fgtool help exit-code
