a=$DATA/pprof/go-cpu.pb.gz b=$DATA/pprof/go-cpu-after.pb.gz c=$DATA/pprof/pprof-proto-cpu.pb.gz d=$DATA/pprof/tiny.pb
fgtool digest "$a" "$b" "$c" "$d"
fgtool merge -o ad.pb "$d" "$a" && fgtool merge -o bc.pb.zst "$c" "$b" && fgtool digest bc.pb.zst ad.pb && fgtool digest "$b" ad.pb "$c"
