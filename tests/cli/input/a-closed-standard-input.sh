fgtool info <&-
