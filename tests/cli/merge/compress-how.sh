fgtool merge --compress lzma "$DATA/pprof/tiny.pb"
