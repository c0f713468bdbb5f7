head -c 100 "$DATA/elf/spin" >goserver
fgtool pprof -weblist=main.digest -source_path="$DATA/src" -trim_path=/ goserver "$DATA/pprof/go-cpu.pb.gz" 2>/dev/null
