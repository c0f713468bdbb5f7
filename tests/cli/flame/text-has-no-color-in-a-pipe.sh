TERM=xterm fgtool flame --to text "$DATA/folded/annotations.folded" | grep -c "$(printf '\033')" || true
