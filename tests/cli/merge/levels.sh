for how in gzip zstd; do for level in 1 5 9; do fgtool merge --compress $how --level $level "$DATA/pprof/go-cpu.pb.gz" | wc -c; done | sort -c -n -r && echo smaller and smaller; done
