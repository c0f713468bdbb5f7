. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures slower
fgtool diff before-*.pb -- after-*.pb
