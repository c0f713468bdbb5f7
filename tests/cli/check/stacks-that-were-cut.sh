{ for i in $(seq 20); do printf 'cut%s' "$i"; printf ';f%s' $(seq 63); echo ' 1'; done; echo 'main;work 200'; } | fgtool check
