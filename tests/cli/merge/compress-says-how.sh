for how in auto none gzip zstd; do fgtool merge --compress $how "$DATA/pprof/tiny.pb" | fgtool info | sed -n 2p; done
fgtool merge --compress none -o a.pb.gz "$DATA/pprof/tiny.pb" && fgtool info a.pb.gz | sed -n 2p
