. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures slower
fgtool diff --format=markdown --gate='flat>+10%' before-*.pb -- after-*.pb
