. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures rename
fgtool diff before-*.pb -- after-*.pb
