{ printf 'main;'; head -c 2000000 /dev/zero | tr '\0' '\033'; echo ' 1'; } >name.folded
for c in top tree flame info check 'top --format csv' 'top --format json'; do fgtool $c name.folded | LC_ALL=C grep -c "$(printf '\033')" || true; done
