. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures slower
fgtool diff --gate='new>+1pp' --by-label=route --format=json before-*.pb -- after-*.pb >d.json
python3 -c 'import json; d = json.load(open("d.json")); print(list(d), d["verdict"])'
