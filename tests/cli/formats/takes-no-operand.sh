fgtool formats pprof
