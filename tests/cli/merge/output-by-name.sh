for f in a.pb a.pb.gz a.pb.zst a.pprof a.prof a.prof.gz a.folded a.collapsed.gz a.folded.zst -; do
	fgtool merge -o $f "$DATA/folded/simple.folded" >out && { [ -e $f ] || mv out "$(basename $f)"; } && echo "$f: $(fgtool info ./"$(basename $f)" | head -n 2 | tr '\n' ' ')"
done
