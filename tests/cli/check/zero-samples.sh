printf 'main;work 0\nmain;idle 200\n' | fgtool check
