. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures label
fgtool diff --by-label=route before-*.pb -- after-*.pb
