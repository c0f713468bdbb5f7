gzip -nc "$DATA/pprof/tiny.pb" | gzip -nc >two && fgtool info two | head -n 2
gzip -nc two | gzip -nc | fgtool info
