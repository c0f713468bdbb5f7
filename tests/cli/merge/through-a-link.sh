mkdir real && echo old >real/x.pb && ln -s real/x.pb link.pb && fgtool merge -o link.pb "$DATA/pprof/tiny.pb" && [ -L link.pb ] && fgtool info real/x.pb | head -n 1
