fgtool merge --to foldd "$DATA/pprof/tiny.pb"
