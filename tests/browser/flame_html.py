# SPDX-License-Identifier: MIT
"""
The flame graph as an HTML page in a headless chromium, and the image and the page of
PDF next to the SVG they are to look like. Names begin with what the specification of
the flame graph calls the test.
"""

import base64
import http.server
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib"))
sys.dont_write_bytecode = True
from cdp import Browser, Tap, find_browser, skip_all  # noqa: E402
from profiles import (BLIND, FOLDED, HOSTILE, SCRATCH, SMALL, SVG, ciede2000,  # noqa: E402
                      contrast, draw, lab, luminance, parse, pixels, seen_by, stacks_of)

NODES = ("(d => ({name: [...d.name].map(i => d.names[i]), start: [...d.start],"
         "total: [...d.total], self: [...d.self], end: [...d.end],"
         "depth: [...d.depth]}))(__fg.data())")


def html(name, folded, *options):
    return draw(name, folded, *options, suffix=".html")


def test_page(browser, url, **how):
    page = browser.page(url + "#test", **how)
    page.settle()
    return page


def fresh(page):
    """Wait until the table follows what was done last."""
    page.js("new Promise(r => setTimeout(r, 80))")
    page.settle()


def place(page, box):
    """Where in the window the left part of a box is."""
    x, y = page.js("(r => [r.left, r.top])(document.querySelector('.space')"
                   ".getBoundingClientRect())")
    return x + 8 + box["x"] + min(5, box["w"] / 2), y + box["y"] + 8


def graph(page):
    """The pixels below the toolbar, whose buttons change with what can be undone."""
    return pixels(page.screenshot())[2][100:]


def frame(page, test):
    return page.js("__fg.frames().find(f => %s)" % test)


def a3_nothing_is_loaded_and_nothing_is_wrong(browser):
    url = html("server", FOLDED)
    page = test_page(browser, url)
    page.js("__fg.search('parse')")
    page.click(*place(page, frame(page, "f.depth == 1")))
    page.key("t")
    page.key("d")
    fresh(page)
    requests = {e["request"]["url"].split("#")[0]
                for e in page.seen("Network.requestWillBeSent")} - {"data:,"}
    assert requests == {url}, requests
    assert page.errors() == [], page.errors()
    policy = page.js("document.querySelector('meta[http-equiv]').content")
    assert policy.startswith("default-src 'none'; style-src 'sha256-"), policy
    assert "unsafe" not in policy
    page.close()


def a3_the_policy_stops_every_other_script(browser):
    page = test_page(browser, html("small", SMALL))
    page.js("(s => { s.textContent = 'window.pwned = 1'; document.body.append(s); })"
            "(document.createElement('script'))")
    page.js("document.body.setAttribute('onclick', 'window.pwned = 1'), "
            "document.body.click()")
    assert page.js("window.pwned") is None
    page.close()


def a4_totals_are_those_of_the_input(browser):
    page = test_page(browser, html("server", FOLDED))
    data = page.js(NODES)
    want = {}
    for frames, value in stacks_of(FOLDED):
        for i in range(len(frames) + 1):
            want[tuple(frames[:i])] = want.get(tuple(frames[:i]), 0) + value
    path, found = [], {}
    for i, name in enumerate(data["name"]):
        path[data["depth"][i]:] = [name]
        found[tuple(path[1:])] = data["total"][i]
    assert found == want
    page.close()


def a8_without_script_there_are_a_picture_and_a_table(browser):
    page = browser.page(html("server", FOLDED), script=False)
    shown = "getComputedStyle(document.querySelector('%s')).display"
    assert page.js(shown % ".paper") == "block"
    assert page.js(shown % ".tools") == "none"
    assert page.js("document.querySelectorAll('.paper path').length") > 5
    assert page.js("document.querySelectorAll('.paper text').length") > 5
    assert 20 < page.js("document.querySelectorAll('tbody tr').length") <= 200
    page.close()


class NoScript(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=SCRATCH)

    def end_headers(self):
        self.send_header("Content-Security-Policy", "script-src 'none'")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def a28_a_server_that_allows_no_script_changes_nothing_else(browser):
    url = html("server", FOLDED)
    page = browser.page(url, script=False)
    want = page.screenshot()
    page.close()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), NoScript)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = browser.page("http://127.0.0.1:%d/server.html" % server.server_port)
    page.settle()
    got = page.screenshot()
    page.close()
    server.shutdown()
    server.server_close()
    assert got == want


def large(copies):
    return html("large%d" % copies,
                "".join("proc%03d;" % i + line for i in range(copies)
                        for line in FOLDED.splitlines(True)))


def timed(page, do, count):
    """Milliseconds until what `do` (with k) asks for is painted, sorted."""
    return page.js(
        "(async () => { const out = []; for (let k = 0; k < %d; k++) {"
        "const t = performance.now(); %s;"
        "await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));"
        "out.push(performance.now() - t); } return out.sort((a, b) => a - b); })()"
        % (count, do))


def a10_a11_a12_a13_a_hundred_thousand_frames_are_quick(browser):
    url = large(8)
    size = os.path.getsize(url[len("file://"):])
    page = browser.page(None, width=1400, height=1000)
    page.go(url + "#test")
    page.settle()
    load = page.js("performance.now()")
    frames = page.js("__fg.data().name.length")
    assert frames > 100000, frames
    zooms = timed(page, "__fg.zoom((k + 1) * 4999 % __fg.data().name.length)", 20)
    page.js("__fg.zoom(0)")
    finds = timed(page, "__fg.search(['map', 'e', 'parse', '_3', 'zz'][k])", 5)
    print("# %d frames, %d bytes: load %d ms, zoom median %d ms, search median %d ms" %
          (frames, size, load, zooms[10], finds[2]))
    # The goals are 700, 100 and 150 ms; a loaded machine gets three times that.
    assert size <= 600000 and load <= 2100 and zooms[10] <= 300 and finds[2] <= 450
    page.close()


def a14_a_quarter_million_frames_are_few_elements(browser):
    page = test_page(browser, large(20))
    assert page.js("__fg.data().name.length") > 252000
    page.js("__fg.search('parse')")
    fresh(page)
    nodes = page.js("(w => { let n = 0; while (w.nextNode()) n++; return n; })"
                    "(document.createTreeWalker(document))")
    page.send("HeapProfiler.enable")
    page.send("HeapProfiler.collectGarbage")
    heap = page.send("Runtime.getHeapUsage")
    used = heap["usedSize"] + heap.get("backingStorageSize", 0)
    print("# %d nodes, %d bytes" % (nodes, used))
    assert nodes <= 2000 and used <= 60 << 20
    page.close()


def a15_zooming_puts_every_frame_where_it_belongs(browser):
    page = test_page(browser, html("server", FOLDED))
    data = page.js(NODES)
    before, picture = page.js("__fg.frames()"), graph(page)
    span = page.js("document.querySelector('.graph').clientWidth") - 16
    rng = random.Random(3)
    for _ in range(10):
        zoomed = rng.randrange(1, len(data["start"]))
        page.js("__fg.zoom(%d)" % zoomed)
        k = span / data["total"][zoomed]
        frames = page.js("__fg.frames()")
        assert any(f["i"] == zoomed and abs(f["w"] - span) <= 1 for f in frames)
        for f in frames:
            if f["above"]:
                assert f["x"] == 0 and f["w"] == span
                assert f["i"] < zoomed < data["end"][f["i"]]
            else:
                x = (data["start"][f["i"]] - data["start"][zoomed]) * k
                assert abs(f["x"] - x) <= 0.5, f
    page.key("0")
    assert page.js("__fg.frames()") == before
    page.js("document.activeElement.blur()")
    fresh(page)
    assert graph(page) == picture
    page.close()


def a16_a_stack_of_a_hundred_thousand_frames(browser):
    page = test_page(browser, html("deep", ";".join(
        "f%d" % (i % 7) for i in range(100000)) + " 5\n"))
    assert page.js("__fg.data().depth.length") == 100001
    page.js("document.querySelector('.graph').scrollTop = 0")
    page.settle()
    box = frame(page, "f.depth == 100000")
    assert abs(box["y"] - 4) <= 1, box
    page.click(*place(page, box))
    assert page.js("__fg.state().view.i") == 100000
    page.js("__fg.zoom(99999)")
    page.key("ArrowUp")
    page.key("ArrowUp")
    assert page.js("__fg.state().sel.i") == 100000
    assert len(page.js("document.querySelector('nav').textContent")) < 200
    assert page.errors() == [], page.errors()
    page.close()


def outermost(data, begin, stop, pattern):
    total, i = 0, begin
    while i < stop:
        if pattern in data["name"][i].lower():
            total += data["total"][i]
            i = data["end"][i]
        else:
            i += 1
    return total


def a17_matched_percentages_count_each_sample_once(browser):
    page = test_page(browser, html("server", FOLDED))
    data = page.js(NODES)
    rng = random.Random(5)
    for _ in range(50):
        zoomed = rng.choice([0, rng.randrange(len(data["name"]))])
        pattern = rng.choice(["parse", "map", "e", "net::", "_3", "nothing at all"])
        page.js("__fg.zoom(%d), __fg.search('%s')" % (zoomed, pattern))
        text = page.js("document.querySelector('.match').textContent")
        of_view, of_all = re.search(r"([\d.]+)% of view \(([\d.]+)% of total\)",
                                    text).groups()
        want = 100 * outermost(data, zoomed, data["end"][zoomed], pattern) / \
            data["total"][zoomed]
        assert abs(float(of_view) - want) <= 0.00501, (text, want)
        want = 100 * outermost(data, 0, len(data["name"]), pattern) / data["total"][0]
        assert abs(float(of_all) - want) <= 0.00501, (text, want)
    page.close()


def a18_an_invalid_expression_is_taken_literally(browser):
    page = test_page(browser, html("odd", SMALL + "main;odd/(/ 5\n"))
    page.js("__fg.search('/(/')")
    assert page.js("__fg.state().match").startswith("1 frame,")
    assert page.js("document.querySelector('input').className") == "fg-bad"
    page.js("__fg.search('/^(parse|write)$/')")
    assert page.js("__fg.state().match").startswith("2 frames,")
    assert page.js("document.querySelector('input').className") == ""
    assert page.errors() == []
    page.close()


def a19_the_address_keeps_zoom_search_and_direction(browser):
    page = test_page(browser, html("server", FOLDED))
    zoomed = page.js("__fg.frames().filter(f => f.depth == 3).sort("
                     "(a, b) => b.w - a.w)[0].i")
    page.js("__fg.zoom(%d), __fg.search('parse')" % zoomed)
    page.key("i")
    name = page.js("(d => d.names[d.name[__fg.state().view.i]])(__fg.data())")
    address, state = page.js("location.href"), page.js("__fg.state()")
    page.close()
    page = browser.page(address)
    page.settle()
    assert page.js("__fg.state()") == state
    page.close()
    # The same code measured again, drawn as an SVG: the same frame.
    again = "".join("%s %d\n" % (";".join(s), v * 3 + 1) for s, v in stacks_of(FOLDED))
    page = browser.page(draw("again", again) + "#" + address.split("#")[1])
    page.settle()
    assert page.js("(d => d.names[d.name[__fg.state().view.i]])(__fg.data())") == name
    page.close()


def a20_going_back_undoes_zooms(browser):
    page = test_page(browser, html("server", FOLDED))
    first = page.js("__fg.state().view")
    for depth in range(1, 6):
        page.js("__fg.zoom(__fg.frames().filter(f => f.depth == %d && !f.above)"
                ".sort((a, b) => b.w - a.w)[0].i)" % depth)
    for k in range(5):
        page.js("window.gone = new Promise(r => addEventListener('popstate', () => r(1),"
                "{once: true})), 0")
        page.js("history.back()" if k < 4 else
                "document.querySelector('[data-do=undo]').click()")
        page.js("window.gone")
    assert page.js("__fg.state().view") == first
    page.close()


def a21_the_keys_reach_every_frame(browser):
    page = test_page(browser, html("small", SMALL))
    focus = "document.activeElement"
    for _ in range(30):
        page.key("Tab")
        if page.js(focus + ".getAttribute('role')") == "tree":
            break
    assert page.js(focus + ".getAttribute('role')") == "tree"
    item = "document.getElementById(%s.getAttribute('aria-activedescendant'))" % focus
    names = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight"):
        page.key(key)
        names.append(page.js(item + ".getAttribute('aria-label')").split(",")[0])
    assert names == ["all", "main", "parse", "strtol", "parse", "write"], names
    assert page.js(item + ".getAttribute('role')") == "treeitem"
    assert page.js(item + ".getAttribute('aria-level')") == "3"
    assert page.js(item + ".getAttribute('aria-setsize')") == "2"
    label = page.js(item + ".getAttribute('aria-label')")
    page.mouse(*place(page, frame(page, "f.name == 'write'")))
    page.settle()
    tip = page.js("document.querySelector('.tip div').textContent")
    assert tip == "write (3 samples, 27.27%)", tip
    assert label.startswith("write, 27.27%, 3 samples, self 27.27%"), label
    page.key("Enter")
    assert page.js("__fg.frames().filter(f => !f.above)[0].name") == "write"
    page.key("Escape")
    assert page.js("__fg.frames().filter(f => !f.above)[0].name") == "main"
    page.close()


def a22_everything_interactive_has_a_role_and_a_name(browser):
    page = test_page(browser, html("server", FOLDED))
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    seen = set()
    for node in nodes:
        properties = {p["name"]: p["value"].get("value")
                      for p in node.get("properties", [])}
        if properties.get("focusable") and not node.get("ignored"):
            role = node["role"]["value"]
            seen.add(role)
            if role not in ("RootWebArea", "generic"):
                assert node["name"]["value"].strip(), node
    assert {"button", "searchbox", "tree"} <= seen, seen
    # What has the focus shows it.
    for _ in range(9):
        page.key("Tab")
        outline = page.js("(s => s.outlineStyle + ' ' + s.outlineWidth)"
                          "(getComputedStyle(document.activeElement))")
        assert outline == "solid 2px", outline
    page.close()


def a22_a24_labels_can_be_read_in_both_themes(browser):
    for options in ([], ["--color-by", "kind"], ["--colors", "hot"], ["--colors", "java"]):
        for dark in (False, True):
            page = test_page(browser, html("colors", FOLDED, *options), dark=dark)
            get = "getComputedStyle(document.documentElement).getPropertyValue('--%s')"
            to_rgb = ("(c => { const e = document.createElement('canvas').getContext('2d');"
                      "e.fillStyle = c; e.fillRect(0, 0, 1, 1); return 'rgb(' + "
                      "[...e.getImageData(0, 0, 1, 1).data].slice(0, 3) + ')'; })(%s)")
            color = lambda key: page.js(to_rgb % (get % key))  # noqa: E731
            label, background = color("label"), color("bg")
            assert (luminance(background) < 0.05) == dark, background
            used = [c for c in range(32) if page.js(get % ("k%d" % c))]
            assert len(used) > 3
            for key in ["k%d" % c for c in used] + ["hit"]:
                assert contrast(color(key), label) >= 4.5, (options, dark, key)
            for key in ("fg", "soft", "warn", "focus"):
                assert contrast(color(key), background) >= 4.5, (dark, key)
            page.close()


def a23_kinds_of_code_can_be_told_apart_by_the_color_blind(browser):
    url = html("kinds", "a_[k] 1\nb_[j] 1\nc_[i] 1\nd_[0] 1\ne 1\n")
    for dark in (False, True):
        page = test_page(browser, url, dark=dark)
        fills = page.js("[...document.querySelectorAll('.legend path')].map(e => "
                        "[e.parentNode.parentNode.textContent, getComputedStyle(e).fill])")
        page.close()
        assert len(fills) == 5, fills
        rgb = {name: [int(v) for v in re.findall(r"\d+", fill)] for name, fill in fills}
        for kind in (None, *BLIND):
            labs = {name: lab(seen_by(kind, c) if kind else c) for name, c in rgb.items()}
            for a, b in itertools.combinations(labs, 2):
                apart = ciede2000(labs[a], labs[b])
                assert apart >= 10, (dark, kind, a, b, apart)


def a24_the_theme_can_be_chosen(browser):
    page = test_page(browser, html("small", SMALL))
    background = "getComputedStyle(document.body).backgroundColor"
    seen = []
    for _ in range(3):
        page.key("d")
        seen.append(luminance(page.js(background)) < 0.05)
    assert seen == [False, True, False], seen
    page.close()


def a25_it_prints_on_one_page_with_its_labels(browser):
    page = test_page(browser, html("server", FOLDED), dark=True)
    labels = page.js("[...document.querySelectorAll('.paper text')].map(t => t.textContent)")
    pdf = base64.b64decode(page.send("Page.printToPDF", {
        "landscape": True, "printBackground": True})["data"])
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    check_text(pdf, labels)


def check_text(pdf, labels):
    """That a text extraction finds all labels."""
    assert len(labels) > 5
    if not shutil.which("pdftotext"):
        print("# no pdftotext: labels not looked for")
        return
    text = subprocess.run(["pdftotext", "-raw", "-", "-"], input=pdf, check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    squeezed = re.sub(r"\s", "", text)
    missing = [t for t in labels if re.sub(r"\s", "", t) not in squeezed]
    assert missing == [], missing[:5]


def a26_the_whole_name_is_copied(browser):
    name = "a_very_long_name_that_fits_no_box_" * 8
    page = test_page(browser, html("long", "main;%s 1\nmain;b 99\n" % name))
    page.js("__fg.search('very')")
    page.key("n")
    copied = page.js("(e => { document.dispatchEvent(e);"
                     "return e.clipboardData.getData('text/plain'); })"
                     "(new ClipboardEvent('copy', {cancelable: true, bubbles: true,"
                     "clipboardData: new DataTransfer()}))")
    assert copied == name, copied
    page.close()


def a34_narrow_siblings_share_boxes_that_open(browser):
    page = test_page(browser, html("siblings", "".join(
        "main;f%05d 1\n" % i for i in range(10000))), width=1020)
    runs = page.js("__fg.frames().filter(f => f.depth == 2)")
    assert len(runs) <= 1000, len(runs)
    assert sum(f["hidden"] or 1 for f in runs) == 10000
    for clicks in range(5):
        frames = page.js("__fg.frames().filter(f => f.depth == 2)")
        box = max((f for f in frames if f["i"] <= 7777), key=lambda f: f["i"])
        if box["n"] == 1:
            break
        assert clicks < 4
        page.click(*place(page, box))
    assert box["i"] == 7777
    page.close()


def a36_the_page_follows_its_window(browser):
    page = test_page(browser, html("server", FOLDED), width=1400)
    fresh(page)
    before = page.screenshot()
    page.resize(950, 800)
    fresh(page)
    page.resize(1400, 800)
    fresh(page)
    assert page.screenshot() == before
    page.close()


def the_table_follows_zoom_search_and_headings(browser):
    page = test_page(browser, html("server", FOLDED))
    data = page.js(NODES)
    fresh(page)
    rows = "[...document.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    sums = {}
    for name, own in zip(data["name"], data["self"]):
        sums[name] = sums.get(name, 0) + own
    best = sorted(sums.values(), reverse=True)
    shown = page.js(rows)
    assert [int(r[1].split(" ")[0].replace(",", "")) for r in shown[:5]] == best[:5]
    for name, _, total in shown[:20]:
        want = outermost(dict(data, name=["x" if n == name else "" for n in data["name"]]),
                         0, len(data["name"]), "x")
        assert int(total.split(" ")[0].replace(",", "")) == want, name
    page.js("document.querySelector('th[data-by=name] button').click()")
    names = [r[0] for r in page.js(rows)]
    assert names == sorted(names), names[:5]
    assert page.js("document.querySelector('th[data-by=name]').ariaSort") == "ascending"
    page.js("__fg.search('parse')")
    fresh(page)
    assert all("parse" in r[0] for r in page.js(rows))
    page.js("document.querySelector('tbody button').click()")
    assert page.js("__fg.state().match").split(", ")[1] == "1 function"
    page.js("__fg.search(''), __fg.zoom(__fg.frames().find(f => f.depth == 4).i)")
    fresh(page)
    assert "in view" in page.js("document.querySelector('caption').textContent")
    page.close()


def the_table_keeps_the_focus(browser):
    page = test_page(browser, html("small", SMALL))
    fresh(page)
    page.js("document.querySelector('tbody button').focus()")
    page.key("ArrowDown")
    name = page.js("document.activeElement.textContent")
    page.key("Enter")
    fresh(page)
    assert page.js("document.activeElement.textContent") == name
    assert page.js("__fg.state().match").split(", ")[1] == "1 function"
    assert page.js("document.querySelectorAll('tbody button').length") == 1
    page.close()


def the_path_leads_back(browser):
    page = test_page(browser, html("small", SMALL))
    page.js("__fg.zoom(__fg.frames().find(f => f.name == 'strtol').i)")
    path = "[...document.querySelectorAll('nav li')].map(e => e.textContent).join('>')"
    assert page.js(path) == "all>main>parse>strtol", page.js(path)
    page.js("[...document.querySelectorAll('nav button')][1].click()")
    assert page.js("__fg.frames().filter(f => !f.above)[0].name") == "main"
    said = page.js("document.querySelector('.status').textContent")
    assert said == "zoomed to main (11 samples, 100.00%)", said
    page.close()


def zooming_glides_unless_motion_is_unwelcome(browser):
    page = test_page(browser, html("small", SMALL), reduced=False)
    page.js("__fg.zoom(2)")
    page.js("new Promise(r => setTimeout(r, 300))")
    moved = graph(page)
    assert page.errors() == [], page.errors()
    page.close()
    page = test_page(browser, html("small", SMALL))
    page.js("__fg.zoom(2)")
    fresh(page)
    assert graph(page) == moved
    page.close()


def the_keys_are_told(browser):
    page = test_page(browser, html("small", SMALL))
    page.key("?")
    assert page.js("document.querySelector('dialog').open")
    assert page.js("document.querySelectorAll('dt').length") >= 12
    page.key("Escape")
    assert not page.js("document.querySelector('dialog').open")
    page.key("/")
    page.type("n?")
    assert page.js("document.querySelector('input').value") == "n?"
    assert not page.js("document.querySelector('dialog').open")
    page.close()


def hostile_names_stay_names(browser):
    folded = "".join("main;%s;leaf%d %d\n" % (n, i, i + 1) for i, n in enumerate(HOSTILE))
    page = test_page(browser, html("hostile", folded, "--title", HOSTILE[0], "--subtitle",
                                   HOSTILE[1]))
    shown = page.js("__fg.frames().filter(f => f.depth == 2).map(f => f.name)")
    assert sorted(shown) == sorted(n.replace("\u202e", "<U+202E>")
                                   for n in HOSTILE), shown
    fresh(page)
    listed = page.js("[...document.querySelectorAll('tbody button')].map(b => b.textContent)")
    assert set(shown) <= set(listed), listed
    for i in range(len(shown)):
        box = page.js("__fg.frames().filter(f => f.depth == 2)[%d]" % i)
        page.mouse(*place(page, box))
        page.settle()
        page.js("__fg.zoom(%d)" % box["i"])
        page.js("__fg.search(__fg.data().names[__fg.data().name[%d]]), __fg.zoom(0)" %
                box["i"])
    assert page.js("window.pwned") is None
    assert page.js("document.querySelectorAll('script').length") == 2
    assert page.js("document.querySelectorAll('img,iframe,b,[onload],[onerror]').length") == 0
    assert page.errors() == [], page.errors()
    page.close()


def a40_an_image_looks_as_the_svg_does(browser):
    with open(draw("image", FOLDED, suffix=".png")[len("file://"):], "rb") as png:
        width, height, image = pixels(png.read())
    url = draw("image", FOLDED)
    page = browser.page(url, script=False, width=width, height=height)
    wide, high, screen = pixels(page.screenshot())
    page.close()
    assert (width, height) == (wide, high)
    seen, far = 0, []
    for row in parse(url).find(SVG + "g[@class='fg-rows']"):
        top = int(re.search(r",(\d+)", row.get("transform")).group(1))
        for path in row.iter(SVG + "path"):
            left, size = (float(v) for v in re.match(
                r"M([\d.]+) 0h([\d.]+)", path.get("d")).groups())
            if path.get("class") == "fg-sm":
                continue
            # Under the upper edge, where no letter reaches; edges may differ by a pixel.
            for x in range(int(left) + 2, int(left + size) - 1):
                a, b = lab(image[top + 1][x]), lab(screen[top + 1][x])
                seen += 1
                if sum((p - q) ** 2 for p, q in zip(a, b)) >= 4:
                    far.append((x, top + 1, image[top + 1][x], screen[top + 1][x]))
    assert seen > 2000, seen
    assert far == [], (len(far), far[:3])


def a40_all_static_labels_are_text_in_a_pdf(browser):
    labels = [t.text for t in parse(draw("labels", FOLDED)).find(
        SVG + "g[@class='fg-rows']").iter(SVG + "text")]
    with open(draw("labels", FOLDED, suffix=".pdf")[len("file://"):], "rb") as pdf:
        check_text(pdf.read(), labels)


TESTS = [
    a3_nothing_is_loaded_and_nothing_is_wrong, a3_the_policy_stops_every_other_script,
    a4_totals_are_those_of_the_input, a8_without_script_there_are_a_picture_and_a_table,
    a10_a11_a12_a13_a_hundred_thousand_frames_are_quick,
    a14_a_quarter_million_frames_are_few_elements,
    a15_zooming_puts_every_frame_where_it_belongs,
    a16_a_stack_of_a_hundred_thousand_frames,
    a17_matched_percentages_count_each_sample_once,
    a18_an_invalid_expression_is_taken_literally,
    a19_the_address_keeps_zoom_search_and_direction, a20_going_back_undoes_zooms,
    a21_the_keys_reach_every_frame, a22_everything_interactive_has_a_role_and_a_name,
    a22_a24_labels_can_be_read_in_both_themes,
    a23_kinds_of_code_can_be_told_apart_by_the_color_blind, a24_the_theme_can_be_chosen,
    a25_it_prints_on_one_page_with_its_labels, a26_the_whole_name_is_copied,
    a28_a_server_that_allows_no_script_changes_nothing_else,
    a34_narrow_siblings_share_boxes_that_open, a36_the_page_follows_its_window,
    a40_an_image_looks_as_the_svg_does, a40_all_static_labels_are_text_in_a_pdf,
    hostile_names_stay_names, the_keys_are_told, the_path_leads_back,
    the_table_follows_zoom_search_and_headings, the_table_keeps_the_focus,
    zooming_glides_unless_motion_is_unwelcome,
]


def main():
    if not find_browser():
        skip_all("no chromium here")
    tap = Tap()
    with Browser() as browser:
        for test in TESTS:
            tap.run(test, browser)
    return tap.done()


sys.exit(main())
