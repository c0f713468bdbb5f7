fgtool merge -o out/x.pb "$DATA/pprof/tiny.pb"
