. "$DATA/../tests/cli/diff-scenarios/_fixtures"; fixtures slower
fgtool diff --format=json before-*.pb -- after-*.pb >a.json; fgtool diff --format=json after-*.pb -- before-*.pb >b.json; python3 - <<'END'
import json
a, b = (json.load(open(name))["functions"] for name in ("a.json", "b.json"))
for x, y in zip(a, b):
    assert x["key"] == y["key"] and x["verdict"] == y["verdict"], x["key"]
    assert abs(x["p"] - y["p"]) <= 1e-12 and abs(x["q"] - y["q"]) <= 1e-12, x["key"]
    assert not x["ratio"] or abs(x["ratio"] * y["ratio"] - 1) < 1e-9, x["key"]
print(len(a), len(a) == len(b))
END
