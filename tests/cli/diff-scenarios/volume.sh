. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures volume
fgtool diff before-*.pb -- after-*.pb
