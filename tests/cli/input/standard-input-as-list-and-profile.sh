fgtool info - --files-from - <"$DATA/pprof/tiny.pb"
