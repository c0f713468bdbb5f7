fgtool info --files-from list
