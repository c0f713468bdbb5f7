cat "$DATA/pprof/tiny.pb" | fgtool convert --to folded - 2>/dev/null
