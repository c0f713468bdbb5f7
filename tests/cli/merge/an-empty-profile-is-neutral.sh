empty=$DATA/pprof/empty-profile.pb
for f in "$DATA"/pprof/go-*; do fgtool merge -o a.pb "$f" && fgtool merge -o b.pb "$empty" "$f" && fgtool merge -o c.pb "$f" "$empty" "$empty" "$empty" && cmp a.pb b.pb && cmp a.pb c.pb; done
