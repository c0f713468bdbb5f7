mkdir out && fgtool merge -o out "$DATA/pprof/tiny.pb"
