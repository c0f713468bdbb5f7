for type in alloc_objects alloc_space inuse_objects inuse_space; do
	fgtool flame --bare --sample-type $type "$DATA/pprof/go-heap-1.pb.gz" | grep "class=\"fg-"
done
