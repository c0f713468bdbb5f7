cp "$DATA/pprof/tiny.pb" ./--heap && fgtool digest -- --heap && fgtool digest ./--heap
