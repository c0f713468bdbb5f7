fgtool info "$(printf 'a\033[31m\nb')"
