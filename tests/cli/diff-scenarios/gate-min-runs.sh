. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures same
fgtool diff --strict --min-runs=3 --gate='cum(serve)>+50%' before-1.pb after-1.pb | head -n 2; fgtool diff --strict --min-runs=3 --gate='cum(serve)>+50%' before-1.pb after-1.pb >out
