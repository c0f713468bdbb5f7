command -v zstd >/dev/null || { echo "skip: no zstd"; exit; }
gzip -nc "$DATA/pprof/tiny.pb" | zstd -qc | fgtool info | head -n 2
