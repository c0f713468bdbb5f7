yes 'main;work 1' | head -c 84000000 | gzip -c >yes.gz && fgtool info --max-input 100M yes.gz | grep -v size
fgtool info yes.gz 2>&1 | sed 's/from .* kB/from .../'
