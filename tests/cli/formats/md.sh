fgtool formats --format md
