cd "$DATA/pprof" && ls tiny.pb unpacked.pb | fgtool digest --each --files-from -
