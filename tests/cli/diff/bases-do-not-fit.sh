fgtool diff -b 1.pb -b 2.pb -b 3.pb a.pb -- b.pb
