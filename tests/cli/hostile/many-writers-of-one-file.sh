cp "$DATA/pprof/tiny.pb" a; cp "$DATA/folded/simple.folded" b; for f in a b; do fgtool top -o $f.out $f; done
for i in 1 2 3 4 5; do for f in a b; do fgtool top -o out $f & done; wait; cmp -s out a.out || cmp out b.out; done; ls -A
