fgtool merge -o /dev/full "$DATA/pprof/tiny.pb"
