: | fgtool info
