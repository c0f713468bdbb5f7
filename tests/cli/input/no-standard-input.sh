fgtool info </dev/null
