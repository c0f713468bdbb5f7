fgtool scale --to-total cpu=60s -o x.pb "$DATA/pprof/go-cpu.pb.gz"
fgtool filter --sample-type cpu --to folded x.pb 2>/dev/null | awk "{ sum += \$NF } END { print (sum > 59.99e9 && sum < 60.01e9) }"
