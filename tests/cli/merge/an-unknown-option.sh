fgtool merge --outptu x.pb "$DATA/pprof/tiny.pb"
