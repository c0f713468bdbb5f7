. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures volume
fgtool diff --normalize=none --gate='total>+5%' -n 3 before-*.pb -- after-*.pb
