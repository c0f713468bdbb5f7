seq 120 | sed 's/.*/f& 1/' | fgtool check --from folded
