cd "$DATA/pprof" && fgtool traces --format csv tiny.pb
