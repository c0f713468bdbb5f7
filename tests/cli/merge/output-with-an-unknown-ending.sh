fgtool merge -o x.svg "$DATA/pprof/tiny.pb"
