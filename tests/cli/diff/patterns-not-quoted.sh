fgtool diff --before a1.pb a2.pb a3.pb --after b1.pb b2.pb
