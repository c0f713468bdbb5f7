awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f%d;", i % 7; print "leaf 1"; print "f0;g 1" }' | fgtool tree | awk '{ n++; if (length > max) max = length } END { print n, max }'
