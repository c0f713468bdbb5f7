for c in $(fgtool __complete '' | cut -f1); do fgtool help "$c" | grep -q '^examples:' || echo "$c"; done
