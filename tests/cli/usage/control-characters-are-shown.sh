fgtool version "$(printf -- '--\033[31mx')"
