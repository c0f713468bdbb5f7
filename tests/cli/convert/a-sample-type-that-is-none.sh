cd "$DATA/pprof" && fgtool convert --to folded --sample-type smples tiny.pb
