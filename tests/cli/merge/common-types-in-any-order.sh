printf 'inuse/bytes count/count alloc/bytes\nmain;old 10 20 30\n' >a.folded && printf 'alloc/bytes alloc/objects inuse/bytes\nmain;old 1 2 3\nmain;new 4 5 6\n' >b.folded
for order in "a.folded b.folded" "b.folded a.folded"; do fgtool merge --common-types $order | fgtool digest; done | uniq | wc -l | tr -d ' '
