cd "$DATA/folded" && for f in simple crlf spaces fractional annotations empty-frames unicode no-newline; do
	fgtool convert $f.folded | fgtool convert --to folded >"$OLDPWD/a" && fgtool convert --to folded $f.folded | diff - "$OLDPWD/a"
done
