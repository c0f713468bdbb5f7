cd "$DATA/pprof" && fgtool digest --each tiny.pb unpacked.pb unknown-fields.pb field-zero.pb missing-mapping.pb trailing-zeros.pb.gz | cut -d ' ' -f 1 | uniq | wc -l | tr -d ' '
