#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stream.sh NAME - the TAP of one test stream, for prove as run.sh starts it. Leaves its
# counts in $SCRATCH/logs/NAME.count.

name=$1
log=$SCRATCH/logs/$(echo "$name" | tr / .)
limit="timeout -k 5 ${TEST_TIMEOUT:-600}"
case $name in
cli/*) $limit sh tests/cli.sh "$name" ;;
fuzz/*) $limit "$TREE/$name" "$DATA" ;;
*.py) $limit python3 "tests/$name" ;;
*.sh) $limit sh "tests/$name" ;;
*) $limit "$TREE/tests/$name" ;;
esac >"$log" </dev/null
status=$?
cat "$log"

awk '
/^1\.\.[0-9]/ { plan = substr($1, 4); planned = 1 }
/^1\.\.0/ { skipped++ }
/^ok/ { if (/# *[Ss][Kk][Ii][Pp]/) skipped++; else passed++ }
/^not ok/ { if (/# *TODO/) skipped++; else failed++ }
{ if (/^(ok|not ok)/) tests++ }
END {
	if (!planned || tests + 0 != plan + 0 || ('$status' != 0 && !failed))
		failed++
	print "passed", passed + 0 "\nfailed", failed + 0 "\nskipped", skipped + 0
}' "$log" >"$log.count"
# A program that was killed says nothing itself: its last words tell where it was.
if [ $status -ge 124 ]; then
	{
		[ $status -ne 124 ] || echo "# $name: took more than ${TEST_TIMEOUT:-600} seconds"
		echo "# $name: died with status $status after:"
		tail -n 3 "$log" | sed 's/^/#   /'
	} >&2
fi
exit $status
