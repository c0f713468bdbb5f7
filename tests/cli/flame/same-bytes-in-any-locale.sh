fgtool flame "$DATA/pprof/go-cpu.pb.gz" >one.svg
LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo fgtool flame -o two.svg - <"$DATA/pprof/go-cpu.pb.gz"
cmp one.svg two.svg
