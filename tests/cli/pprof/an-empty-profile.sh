cd "$DATA/pprof" && fgtool pprof -symbolize=none -top no-samples.pb
