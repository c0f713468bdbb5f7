cd "$DATA/pprof" && a=go-heap-1.pb.gz b=go-heap-2.pb.gz c=go-heap-raw.pb
for order in "$a $b $c" "$a $c $b" "$b $a $c" "$b $c $a" "$c $a $b" "$c $b $a"; do fgtool digest $order; done | uniq
