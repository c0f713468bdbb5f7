# The examples of a manual page, one per line: what .Dl, or .Bd -literal, shows in its
# EXAMPLES. A line that ends in \ or | goes on in the next.
/^\.Sh / {
	examples = $2 == "EXAMPLES"
}
/^\.Bd / {
	literal = 1
	next
}
/^\.Ed/ {
	literal = 0
}
examples && (literal || /^\.Dl /) {
	sub(/^\.Dl /, "")
	gsub(/\\-/, "-")
	gsub(/\\\(aq/, "'")
	gsub(/\\\(ti/, "~")
	gsub(/\\\(ha/, "^")
	gsub(/\\e/, "\\")
	line = line $0
	if (line ~ /[\\|]$/) {
		sub(/\\$/, "", line)
		next
	}
	gsub(/  +/, " ", line)
	print line
	line = ""
}
