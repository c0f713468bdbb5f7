fgtool --versoin
