a=$DATA/pprof/go-heap-1.pb.gz b=$DATA/pprof/go-heap-2.pb.gz c=$DATA/pprof/concat.pb.gz
fgtool digest "$a" "$b" "$c"
for end in pb pb.gz pb.zst; do
	fgtool merge -o ab.$end "$a" "$b" && fgtool merge -o bc.$end "$b" "$c" && fgtool merge -o ca.$end "$c" "$a"
	fgtool digest ab.$end "$c" && fgtool digest "$a" bc.$end && fgtool digest ca.$end "$b"
done | uniq
