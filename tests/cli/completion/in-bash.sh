command -v bash >/dev/null || { echo "skip: no bash"; exit 0; }
fgtool completion bash >script
cat >try <<'BASH'
. ./script
compopt() { echo "compopt $*"; }
for COMP_LINE in 'fgtool ver' 'fgtool version --f' 'fgtool help exi' 'fgtool completion '; do
	COMP_POINT=${#COMP_LINE} COMP_WORDS=(fgtool)
	_fgtool
	echo "$COMP_LINE: ${COMPREPLY[*]}"
done
BASH
bash try
