fgtool flame --to text --columns 200 "$DATA/pprof/hostile-names.pb.gz" | tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]' || true
