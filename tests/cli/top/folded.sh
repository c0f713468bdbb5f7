cd "$DATA/folded" && fgtool top -n 6 perf-inferno.folded
