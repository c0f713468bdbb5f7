echo old >out.folded; seq 60000 | sed 's/.*/main;f&;g& &/' >in.folded; fgtool convert -o want.folded in.folded 2>err
for t in 0.005 0.01 0.02 0.04 0.08; do timeout -s KILL $t fgtool convert -o out.folded in.folded 2>err || true; cmp -s out.folded want.folded || grep -x old out.folded >err; done; ls -A
