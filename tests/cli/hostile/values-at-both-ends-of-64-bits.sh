printf 'a;b 9223372036854775807\na;c -9223372036854775808\n' >ends.folded
for c in top tree flame check digest 'scale --factor -1 --to folded' 'convert --to folded' 'filter --focus b --to folded'; do echo "$c"; fgtool $c ends.folded >out 2>err && [ "$c" != "${c#*folded}" ] && cat out || cat err; done
