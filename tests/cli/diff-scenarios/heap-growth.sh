. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures heap
fgtool diff --base=before-base.pb before-1.pb -n 3
