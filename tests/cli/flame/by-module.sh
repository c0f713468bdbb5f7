fgtool flame --bare --by module "$DATA/pprof/tiny.pb"
