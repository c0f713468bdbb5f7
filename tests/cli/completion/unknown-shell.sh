fgtool completion bsh
