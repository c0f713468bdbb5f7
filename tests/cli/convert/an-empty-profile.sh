cd "$DATA/pprof" && fgtool convert --to folded empty-profile.pb && fgtool convert empty-profile.pb | fgtool info --format csv
