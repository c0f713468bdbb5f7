fgtool flame --bare "$DATA/pprof/negative.pb"
