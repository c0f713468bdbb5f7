cd "$DATA/pprof" && fgtool digest --each tiny.pb unpacked.pb negative.pb
