for to in html png pdf text; do fgtool flame --to $to "$DATA/pprof/go-cpu.pb.gz" >one; LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo fgtool flame --to $to - <"$DATA/pprof/go-cpu.pb.gz" | cmp one -; done
