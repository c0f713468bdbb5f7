cd "$DATA/pprof" && fgtool pprof -top -focus
