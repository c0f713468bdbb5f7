cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -drop_negative negative.pb
