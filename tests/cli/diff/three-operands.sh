fgtool diff one.pb two.pb three.pb
