fgtool flame --to text --columns 60 --icicle --title "Go server" "$DATA/pprof/go-cpu.pb.gz"
