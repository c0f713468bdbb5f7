cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -compact_labels -focus=json -ignore=unmarshal -hide='^runtime' -show_from=main -tagfocus=route=/order go-cpu.pb.gz
