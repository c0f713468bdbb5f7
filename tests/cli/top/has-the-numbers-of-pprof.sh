command -v pprof >/dev/null || { echo "skip: pprof is not installed"; exit 0; }
cd "$DATA/pprof" && fgtool top --format csv go-cpu.pb.gz | awk -F, 'NR > 1 { print $1, $4, $6 }' | sort >"$OLDPWD/ours" && pprof -top -nodefraction=0 -symbolize=none -unit=ns go-cpu.pb.gz 2>/dev/null | awk 'on { print $1 + 0, $4 + 0, $6 } /flat%/ { on = 1 }' | sort | cmp - "$OLDPWD/ours"
