fgtool flame --width 20000 --scale 8 -o x.png "$DATA/folded/simple.folded" || { code=$?; ls; exit $code; }
