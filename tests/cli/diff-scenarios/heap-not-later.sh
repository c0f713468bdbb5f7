. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures heap
fgtool diff --base=before-1.pb before-base.pb -- after-base.pb
