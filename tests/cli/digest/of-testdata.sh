cd "$DATA" && fgtool digest --each pprof/*.pb* folded/*.folded
