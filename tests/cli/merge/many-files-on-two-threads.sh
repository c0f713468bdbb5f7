cd "$DATA/pprof" && set -- go-heap-1.pb.gz go-heap-2.pb.gz go-heap-raw.pb two-members.pb.gz concat.pb.gz
for i in 1 2 3 4 5 6; do fgtool merge --compress none "$@" | cksum; fgtool merge --compress none "$5" "$4" "$3" "$2" "$1" | cksum; done | uniq | wc -l | tr -d ' '
