. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures heap
fgtool diff --base=before-base.pb --base=after-base.pb before-1.pb -- after-1.pb
