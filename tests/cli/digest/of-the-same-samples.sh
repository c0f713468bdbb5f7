cd "$DATA/pprof" && fgtool digest --each go-heap-1.pb.gz go-heap-raw.pb go-heap-zstd.pb.zst two-members.pb.gz | cut -d ' ' -f 1 | uniq | wc -l | tr -d ' '
fgtool digest --each go-cpu.pb.gz pprof-proto-cpu.pb.gz | cut -d ' ' -f 1 | uniq | wc -l | tr -d ' '
