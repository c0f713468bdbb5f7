for f in "$DATA"/pprof/*.pb* "$DATA"/folded/*.folded; do fgtool info --format json "$f" 2>/dev/null | python3 -c 'import json,sys
def once(pairs): assert len(dict(pairs)) == len(pairs), pairs; return dict(pairs)
json.load(sys.stdin, object_pairs_hook=once)'; done
