printf 'alloc_space/bytes alloc_objects/count inuse_objects/count inuse_space/bytes\nmain 1 2 3 4\n' | fgtool check --heap
