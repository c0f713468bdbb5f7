printf '<html><body>502</body></html>' | fgtool info 2>&1 || printf 'root:x:0:0:root:/root:/bin/sh\nuucp:x:10:10:uucp:/var/spool/uucp:/sbin/nologin\n' | fgtool info
