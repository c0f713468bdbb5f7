fgtool formats
