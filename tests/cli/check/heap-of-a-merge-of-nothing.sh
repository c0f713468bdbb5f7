cd "$DATA/pprof" && fgtool merge empty-profile.pb | fgtool check --heap
