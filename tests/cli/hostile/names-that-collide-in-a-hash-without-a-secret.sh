key=$(printf '\057\144\275\170\144\035\166\240')
seq -f '%016.0f' 100000 | LC_ALL=C sed "s|\$|${key}12345678x;f 1|" | timeout 20 fgtool top -n 0 | wc -l
