printf 'main;work 1\n' >one && yes "$(cat one)" | fgtool info --max-input 1M -
