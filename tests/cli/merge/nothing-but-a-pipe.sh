cat "$DATA/pprof/tiny.pb" | fgtool merge | fgtool convert --to folded 2>err
