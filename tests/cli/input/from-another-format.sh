cd "$DATA" && fgtool info --from folded pprof/tiny.pb
