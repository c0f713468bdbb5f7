fgtool diff one.pb
