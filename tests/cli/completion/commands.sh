fgtool __complete ver
fgtool __complete -
