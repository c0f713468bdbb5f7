cd "$DATA/pprof" && for type in samples 0 samples/count; do fgtool convert --to folded --sample-type $type tiny.pb 2>/dev/null; done
fgtool convert --to folded -sample_index=samples tiny.pb
