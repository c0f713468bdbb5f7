cd "$DATA/folded" && fgtool convert --to folded py-spy.folded | sort >"$OLDPWD/a" && sort py-spy.folded | diff - "$OLDPWD/a" | head -n 4
