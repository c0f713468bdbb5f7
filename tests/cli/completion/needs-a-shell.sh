fgtool completion
