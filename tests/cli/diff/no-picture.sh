fgtool diff -o x.svg before.pb after.pb
