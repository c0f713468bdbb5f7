printf 'main 12\n' | fgtool info --from folded | head -n 1
