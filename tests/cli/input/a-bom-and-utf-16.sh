{ printf '\357\273\277'; cat "$DATA/folded/simple.folded"; } >bom
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$DATA/folded/simple.folded"; } >utf16
fgtool digest --each "$DATA/folded/simple.folded" bom utf16 | cut -d ' ' -f 1 | uniq -c | sed 's/ *\([0-9]*\).*/\1 equal/'
