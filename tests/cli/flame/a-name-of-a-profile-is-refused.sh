fgtool flame -o x.pb.gz "$DATA/folded/simple.folded" || { code=$?; ls; exit $code; }
