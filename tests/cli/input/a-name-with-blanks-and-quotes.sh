fgtool info "no such 'file'"
