. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures rename
fgtool diff --accept-renames before-*.pb -- after-*.pb
