"""Makes what a lesson's page needs in order to run its cells: scripts, Python, programs, notebooks.

esbuild bundles `site/page_cells/` with CodeMirror. Python is pyodide's core, from npm like the others.
Nothing is fetched from elsewhere. A page loads all but a small script when a reader asks for it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from sphinx.application import Sphinx

from reader_site import BUILD, ROOT, SITE, fingerprint, in_page, npm

LOCKED = ROOT / "tools" / "npm" / "package-lock.json"
SOURCES = SITE / "page_cells"
FOLDER = BUILD / "static" / "page_cells"
MODULES = ("course/__init__.py", "course/now_you.py")  # what the programs import
PYTHON = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
SCRIPT, STYLES = "page_cells/page.js", "page_cells.css"


def write(lessons: Iterable[Path]) -> None:
    """Write everything into the site's static files, which are empty before."""
    FOLDER.mkdir(parents=True)
    files = {"runner.py": (SOURCES / "runner.py").read_text(encoding="utf-8")}
    files |= {name: (ROOT / name).read_text(encoding="utf-8") for name in MODULES}
    for path in lessons:
        program = in_page.program(nbformat.read(path, as_version=4))
        if program is not None:
            text = json.dumps(program | {"files": files})
            (FOLDER / f"{path.stem}.json").write_text(text, encoding="utf-8")
            shutil.copy(path, FOLDER)
    _bundle(_pyodide())
    shutil.copy(npm.PACKAGES / "codemirror" / "LICENSE", FOLDER / "editor.LICENSE.txt")


def _pyodide() -> dict[str, Any]:
    """Copy pyodide, without its list of packages; return its version and how many bytes a page loads."""
    origin = npm.PACKAGES / "pyodide"
    version = json.loads((origin / "package.json").read_text(encoding="utf-8"))["version"]
    target = FOLDER.parent / f"pyodide-{version}"
    target.mkdir()
    for name in PYTHON:
        shutil.copyfile(origin / name, target / name)
    lock = json.loads((origin / LOCK).read_text(encoding="utf-8"))
    (target / LOCK).write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")
    return {"version": version, "bytes": sum(path.stat().st_size for path in target.iterdir())}


def _bundle(pyodide: dict[str, Any]) -> None:
    sources = [path for path in SOURCES.iterdir() if path.is_file()]
    served = [*ROOT.glob("course/*.ipynb"), *(ROOT / name for name in MODULES), LOCKED]
    version = fingerprint.of([*sources, *served])
    options = ["--bundle", "--target=es2022", f"--outdir={FOLDER}"]
    options += ["--external:node:*", "--external:ws"]  # what pyodide imports outside a browser
    source = f"Pyodide {pyodide['version']}, MPL-2.0: https://github.com/pyodide/pyodide"
    options += [f"--define:VERSION={json.dumps(version)}", f"--define:PYODIDE={json.dumps(pyodide)}"]
    for name in ("page.js", "actions.js", "editor.js", "worker.js"):
        kind = "--format=iife" if name == "page.js" else "--format=esm"
        banner = [f"--banner:js=/* With {source} */"] if name == "worker.js" else []
        npm.esbuild(SOURCES / name, kind, *banner, *options)


def add_script(
    app: Sphinx, page: str, _: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Have a page with cells to write load their styles, and their script if it runs one of them."""
    if 'class="now-you"' in context.get("body", ""):
        app.add_css_file(STYLES)
        if (FOLDER / f"{Path(page).name}.json").exists():
            app.add_js_file(SCRIPT)


def setup(app: Sphinx) -> dict[str, bool]:
    """Have every page looked at when it is written."""
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
