fgtool __complete version --f
fgtool __complete version --no-f
