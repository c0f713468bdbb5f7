fgtool formats --format json
