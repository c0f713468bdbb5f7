fgtool help units filters
