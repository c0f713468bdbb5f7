cd "$DATA/pprof" && fgtool info tiny.pb | tr -d '\n\t\040-\176' | wc -c | tr -d ' '
