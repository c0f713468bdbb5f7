fgtool formats --format csv
