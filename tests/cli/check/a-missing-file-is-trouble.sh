fgtool check nosuch.pb
