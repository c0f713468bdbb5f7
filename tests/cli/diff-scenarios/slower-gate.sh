. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures slower
fgtool diff --gate='cum>+10% where share>=2%' --gate='cum(^pay)>+10%' --gate='cum(^db)>+10%' --before='before-*.pb' --after='after-*.pb'
