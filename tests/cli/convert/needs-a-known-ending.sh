fgtool convert -o x.svg "$DATA/pprof/tiny.pb"
