. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures volume
fgtool diff --per=requests --gate='total>+5%' before-*.pb -- after-*.pb
