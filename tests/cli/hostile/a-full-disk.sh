unshare -rm true 2>/dev/null || { echo 'skip: no namespaces of our own'; exit; }
mkdir disk; unshare -rm sh -c 'mount -t tmpfs -o size=64k none disk && echo old >disk/x.svg && { fgtool flame -o disk/x.svg "$DATA/pprof/go-cpu.pb.gz"; echo $?; cat disk/x.svg; ls -A disk; }'
