. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures durations
fgtool diff --normalize=duration --gate='total>+5%' before-*.pb -- after-*.pb
