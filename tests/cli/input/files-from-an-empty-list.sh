: | fgtool info --files-from -
