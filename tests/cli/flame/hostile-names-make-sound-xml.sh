command -v xmllint >/dev/null || { echo "skip: no xmllint"; exit; }
fgtool flame -o x.svg "$DATA/pprof/hostile-names.pb.gz" && xmllint --noout --nonet x.svg
