. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures inlined
fgtool diff before-*.pb -- after-*.pb
