fgtool __complete completion ''
fgtool __complete help exit
