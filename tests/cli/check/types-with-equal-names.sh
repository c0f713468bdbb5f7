printf 'time/ms time/ns\nmain;work 100 1\n' | fgtool check
