for c in $(fgtool __complete '' | cut -f1); do fgtool help "$c"; fgtool "$c" -h; done | awk 'length > 80'
for t in $(fgtool __complete help '' | cut -f1) ''; do fgtool help $t; done | awk 'length > 80'
