cd "$DATA/pprof" && fgtool digest --each tiny.pb bad/cut.pb unpacked.pb
