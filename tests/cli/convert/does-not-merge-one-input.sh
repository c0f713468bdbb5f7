cd "$DATA/folded" && cat simple.folded simple.folded | fgtool convert | fgtool info | grep Samples
