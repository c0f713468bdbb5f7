for c in top tree info check 'tags' 'traces' 'top --by file' 'top --by module' 'top --format md' 'top --format csv' 'tree --format json' flame; do
	fgtool $c "$DATA/pprof/hostile-names.pb.gz" 2>&1 | tr -d '\n' | LC_ALL=C grep -c '[[:cntrl:]]' && echo "$c" || true; done | grep -v '^0$' || true
