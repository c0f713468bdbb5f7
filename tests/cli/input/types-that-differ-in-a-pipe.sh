cd "$DATA" && cat folded/simple.folded | fgtool info pprof/tiny.pb -
