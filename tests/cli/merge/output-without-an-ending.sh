fgtool merge -o merged "$DATA/pprof/tiny.pb"
