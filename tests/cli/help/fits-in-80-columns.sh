# A line to be pasted is not broken, so it may be longer.
{
	for c in $(fgtool __complete '' | cut -f1); do fgtool help "$c"; fgtool "$c" -h; done
	for t in $(fgtool __complete help '' | cut -f1) ''; do fgtool help $t; done
} | awk 'length($0) > (/^  fgtool / ? 110 : 80)'
