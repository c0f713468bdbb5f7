cp "$DATA/pprof/tiny.pb" x.folded && cp "$DATA/folded/simple.folded" x.pb.gz
for f in *; do fgtool info $f | head -n 1; done
