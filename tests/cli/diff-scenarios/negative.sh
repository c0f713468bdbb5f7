. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures negative
fgtool diff before-1.pb after-1.pb
