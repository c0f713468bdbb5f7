. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures periods
fgtool diff before-*.pb -- after-*.pb
