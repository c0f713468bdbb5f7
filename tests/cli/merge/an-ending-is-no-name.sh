fgtool merge -o .gz "$DATA/pprof/tiny.pb"
