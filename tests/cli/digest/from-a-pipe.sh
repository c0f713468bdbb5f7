cat "$DATA/pprof/tiny.pb" | fgtool digest && cat "$DATA/pprof/tiny.pb" | fgtool digest --each -
