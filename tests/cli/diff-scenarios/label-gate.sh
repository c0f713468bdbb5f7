. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures label
fgtool diff --gate='cum(db.plan)>+20% where label route=checkout' --gate='cum(db.plan)>+20% where label route=search' before-*.pb -- after-*.pb
