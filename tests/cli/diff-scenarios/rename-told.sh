. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures rename
fgtool diff --rename=rank.score=rank.scoreAll before-*.pb -- after-*.pb
