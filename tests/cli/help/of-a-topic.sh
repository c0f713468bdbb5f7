fgtool help exit-codes
