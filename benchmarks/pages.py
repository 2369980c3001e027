"""What a first visit costs on a telephone: `make bench-site`.

The pages come packed with gzip over 1.6 Mbit/s with 150 ms of latency, and the processor is four times slower
than this machine's: the settings by which Lighthouse judges a page on a mobile device.
"""

from __future__ import annotations

import gzip
import http.server
import statistics
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.report import Report, at_most

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "site" / "_build" / "html"
sys.path.append(str(ROOT / "tools"))
import chromium  # noqa: E402

PAGES = {
    "front": "index.html",
    "lesson 1": "course/01-reverse-accumulation.html",
    "lesson 7": "course/07-double-backward.html",
    "exercises 9": "exercises/09-layers-of-a-network/09-exercises.html",
    "mistakes": "mistakes.html",
}
VISITS = 3
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
SLOWER = 4
MEASURES = ("paint", "load", "task")
WATCH = """
window.tasks = [0];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)))
  .observe({ type: "longtask", buffered: true });
"""
STARTED = "performance.timing.loadEventEnd && 'started' in document.documentElement.dataset"
MEASURED = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  load: performance.getEntriesByType("navigation")[0].loadEventEnd,
  task: Math.max(...tasks),
})"""


class _Packing(http.server.SimpleHTTPRequestHandler):
    """Serves files as a web host does: texts are compressed, and a connection is used again."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with the file."""
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body, packed = path.read_bytes(), path.suffix in {".html", ".css", ".js", ".svg"}
        body = gzip.compress(body) if packed else body
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the built site on a free port of this machine; yields the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Packing, directory=HTML))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def visit(browser: Browser, address: str) -> dict[str, Any]:
    """Return the milliseconds to the first paint and to the load event, and those of the longest task."""
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        devtools = context.new_cdp_session(page)
        devtools.send("Network.emulateNetworkConditions", NETWORK)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(address, wait_until="load")
        page.wait_for_function(STARTED)
        return dict(page.evaluate(MEASURED))


def rows(report: Report) -> None:
    """Visit each page several times, always with nothing stored."""
    with sync_playwright() as playwright, served() as address:
        browser = playwright.chromium.launch(executable_path=chromium.find())
        for name, path in PAGES.items():
            report.heading(f"{name}: a first visit on a telephone, median of {VISITS}")
            visits = [visit(browser, address + path) for _ in range(VISITS)]
            paint, load, task = (statistics.median(v[key] for v in visits) for key in MEASURES)
            print(f"  {'first contentful paint':<34}{paint:>10.2f} ms")
            report.check("load", load, " ms", at_most(2500))
            report.check("longest task", task, " ms", at_most(200))
        browser.close()


if __name__ == "__main__":
    report = Report()
    rows(report)
    report.close()
