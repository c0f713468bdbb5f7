# SPDX-License-Identifier: MIT
"""
A headless chromium, driven over the DevTools protocol, and TAP for its tests.

	with Browser() as browser:
		page = browser.page("file:///tmp/x.svg")
		page.js("document.title")
		page.click(100, 200)
		page.key("Escape")
		png = page.screenshot()

The protocol goes through a pair of pipes (--remote-debugging-pipe): messages are JSON,
each ended by a NUL. Only the standard library is used.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
        "ArrowDown": 40, "Home": 36, "End": 35, "Backspace": 8, "F3": 114}


def find_browser():
    """The path of a chromium, or None."""
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    """One browser process; pages are its tabs."""

    def __init__(self, path=None, timeout=60):
        self.timeout = timeout
        self.profile = tempfile.mkdtemp(prefix="fgtool-browser-")
        self.to_read, self.to_write = os.pipe()
        self.from_read, self.from_write = os.pipe()
        self.process = subprocess.Popen(
            [path or find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-extensions", "--mute-audio",
             "--force-color-profile=srgb", "--disable-dev-shm-usage",
             "--user-data-dir=" + self.profile, "--remote-debugging-pipe"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, close_fds=False, start_new_session=True,
            preexec_fn=self._pipes)
        os.close(self.to_read)
        os.close(self.from_write)
        self.number = 0
        self.held = b""
        self.events = []

    def _pipes(self):
        # Descriptors 3 and 4, whatever the pipes were given.
        reader = os.dup(self.to_read)
        writer = os.dup(self.from_write)
        os.dup2(reader, 30)
        os.dup2(writer, 31)
        os.dup2(30, 3)
        os.dup2(31, 4)
        os.closerange(5, 256)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self, until):
        import select
        while b"\0" not in self.held:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_read], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.from_read, 1 << 20)
            if not data:
                raise EOFError("the browser is gone")
            self.held += data
        text, self.held = self.held.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, params=None, session=None):
        """Send a command and return its result; events meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_write, data):]
        until = time.monotonic() + self.timeout
        while True:
            answer = self._message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait(self, method, session):
        """The parameters of the next event of this kind, past ones included."""
        until = time.monotonic() + self.timeout
        while True:
            for i, event in enumerate(self.events):
                if event["method"] == method and event.get("sessionId") == session:
                    del self.events[i]
                    return event["params"]
            message = self._message(until)
            if "method" in message:
                self.events.append(message)

    def page(self, url=None, width=1200, height=800, dark=False, script=True,
             reduced=True):
        """A new tab of this size, with `url` loaded."""
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.send("Target.attachToTarget", {
            "targetId": target, "flatten": True})["sessionId"]
        page = Page(self, target, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(domain + ".enable")
        page.resize(width, height)
        page.send("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion",
             "value": "reduce" if reduced else "no-preference"}]})
        if not script:
            page.send("Emulation.setScriptExecutionDisabled", {"value": True})
        if url:
            page.go(url)
        return page


class Page:
    def __init__(self, browser, target, session):
        self.browser = browser
        self.target = target
        self.session = session

    def send(self, method, params=None):
        return self.browser.send(method, params, self.session)

    def go(self, url):
        self.send("Page.navigate", {"url": url})
        self.browser.wait("Page.loadEventFired", self.session)

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})

    def resize(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def js(self, expression):
        """The value of an expression; promises are awaited."""
        result = self.send("Runtime.evaluate", {
            "expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get(
                "description", details["text"]))
        return result["result"].get("value")

    def settle(self):
        """Let two frames pass, so that what was asked for is painted."""
        self.js("new Promise(r => requestAnimationFrame("
                "() => requestAnimationFrame(() => r(1))))")

    def mouse(self, x, y, kind="mouseMoved", clicks=0):
        self.send("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "clickCount": clicks,
            "button": "left" if clicks else "none"})

    def click(self, x, y):
        self.mouse(x, y)
        self.mouse(x, y, "mousePressed", 1)
        self.mouse(x, y, "mouseReleased", 1)
        self.settle()

    def key(self, key, control=False):
        params = {"key": key, "modifiers": 2 if control else 0,
                  "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
        if len(key) == 1 and not control:
            params["text"] = key
        elif key == "Enter":
            params["text"] = "\r"  # or no button is pressed by it
        self.send("Input.dispatchKeyEvent", dict(params, type="keyDown"))
        params.pop("text", None)
        self.send("Input.dispatchKeyEvent", dict(params, type="keyUp"))
        self.settle()

    def type(self, text):
        for c in text:
            self.key(c)

    def screenshot(self, path=None):
        data = base64.b64decode(self.send("Page.captureScreenshot", {
            "format": "png"})["data"])
        if path:
            with open(path, "wb") as out:
                out.write(data)
        return data

    def seen(self, method):
        """Parameters of all events of this kind so far."""
        return [e["params"] for e in self.browser.events
                if e["method"] == method and e.get("sessionId") == self.session]

    def errors(self):
        """What the page complained about: exceptions and the console's errors."""
        out = [e["exceptionDetails"]["text"] + " " +
               e["exceptionDetails"].get("exception", {}).get("description", "")
               for e in self.seen("Runtime.exceptionThrown")]
        out += [str(e["args"]) for e in self.seen("Runtime.consoleAPICalled")
                if e["type"] in ("error", "warning", "assert")]
        out += [e["entry"]["text"] for e in self.seen("Log.entryAdded")
                if e["entry"]["level"] == "error"]
        return out


class Tap:
    """Numbered results; a test is a function that raises AssertionError."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def run(self, test, *arguments):
        self.count += 1
        name = test.__name__.replace("_", " ")
        try:
            test(*arguments)
        except (AssertionError, RuntimeError, TimeoutError, EOFError, KeyError,
                TypeError, IndexError, ValueError) as e:
            self.failed += 1
            print("not ok %d - %s" % (self.count, name))
            for line in (type(e).__name__ + ": " + str(e)).splitlines():
                print("# " + line)
        else:
            print("ok %d - %s" % (self.count, name))
        sys.stdout.flush()

    def done(self):
        print("1..%d" % self.count)
        return 1 if self.failed else 0


def skip_all(why):
    print("1..0 # SKIP " + why)
    sys.exit(0)
