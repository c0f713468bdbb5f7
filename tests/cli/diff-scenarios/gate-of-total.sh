. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures same
fgtool diff --gate='total>+5%' before-*.pb -- after-*.pb
