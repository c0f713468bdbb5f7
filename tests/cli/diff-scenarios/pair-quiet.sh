. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures pair
fgtool diff --run-noise=2% before-1.pb after-1.pb
