printf 'inuse/bytes count/count alloc/bytes\nmain;old 10 20 30\n' >a.folded && printf 'alloc/bytes alloc/objects inuse/bytes\nmain;old 1 2 3\nmain;new 4 5 6\n' >b.folded
fgtool merge --common-types a.folded b.folded | fgtool info --format csv
