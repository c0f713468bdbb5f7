{ printf '\232\001'; cat "$DATA/pprof/tiny.pb"; printf '\272\156'; cat "$DATA/pprof/go-heap-raw.pb"; } >stream
fgtool info stream
