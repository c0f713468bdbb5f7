cd "$DATA/pprof" && for f in go-heap-1.pb.gz go-heap-2.pb.gz go-allocs.pb.gz go-heap-raw.pb go-heap-zstd.pb.zst; do fgtool check --heap $f; done
