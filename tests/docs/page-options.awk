# The options of a manual page as `fgtool CMD --help` writes them: "-o, --output=FILE".
/^\.Sh / {
	options = $2 == "OPTIONS"
}
options && /^\.It Fl / {
	sub(/^\.It /, "")
	gsub(/ Ns = Ns Ar /, "=")
	gsub(/ , /, ", ")
	gsub(/Fl /, "-")
	print
}
