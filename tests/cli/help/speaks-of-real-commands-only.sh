fgtool __complete '' | cut -f1 | sort >known
for t in $(fgtool __complete help '' | cut -f1) ''; do fgtool help $t; done | grep -o "\(  \|'\|| \)fgtool [a-z]\+" | sed 's/.*fgtool //' | sort -u | comm -23 - known
