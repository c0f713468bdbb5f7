for f in "$DATA"/pprof/*.pb* "$DATA"/folded/*.folded; do
	fgtool merge -o a.pb "$f" 2>err && fgtool merge -o b.pb a.pb && cmp a.pb b.pb
done
