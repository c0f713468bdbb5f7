cp "$DATA/pprof/tiny.pb" "$(printf 'a\nb\033')" && fgtool digest --each a*
