. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures moved
fgtool diff before-*.pb -- after-*.pb
