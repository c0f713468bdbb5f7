cd "$DATA/pprof" && fgtool info tiny.pb unpacked.pb bad/cut.pb negative.pb bad/crc.pb.gz unknown-fields.pb
