. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures hostile
fgtool diff --format=md before-*.pb -- after-*.pb
