for f in $(fgtool formats --format csv | sed 1d | cut -d , -f 1); do fgtool info --from $f /dev/null 2>&1 | grep -c 'cannot read the format' || true; done
