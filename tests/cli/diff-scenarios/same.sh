. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures same
fgtool diff before-*.pb -- after-*.pb
