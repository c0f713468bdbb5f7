cat "$DATA/pprof/bad/cut.pb" | fgtool check
