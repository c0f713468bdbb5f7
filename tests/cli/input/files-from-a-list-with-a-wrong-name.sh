cd "$DATA/pprof" && printf 'tiny.pb\nnosuch\n' | fgtool info --files-from -
