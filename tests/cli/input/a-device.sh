fgtool info /dev/zero
