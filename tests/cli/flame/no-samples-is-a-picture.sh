fgtool flame --bare "$DATA/pprof/no-samples.pb"
