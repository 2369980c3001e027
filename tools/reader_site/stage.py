"""Lays out the sources of the site where Sphinx reads them, under the paths that they have in the repository.

So the links between notebooks hold as they are, and the launch button of a page opens the notebook of that
name. Only what changed is written, which is what tells Sphinx what to read again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import nbformat

from reader_site import BUILD, ROOT, SITE, fingerprint, notebooks

SOURCE = BUILD / "source"
STATIC = BUILD / "static"
FIGURES = "course/matplotlibrc"  # matplotlib reads it in the folder of the notebook
# the start of MathJax, its font, and the extensions that it loads when a formula needs them
MATHJAX = ("tex-chtml.js", "output/chtml/fonts/woff-v2/*.woff", "input/tex/extensions/*.js")
MISTAKES_FROM = ("autograder", "tests/submissions", "site/mistakes", "tools/reader_site", "course")


def stage() -> None:
    """Write all sources below `site/_build/source`, and remove those whose original is gone."""
    pages = {**dict(_texts()), **dict(_notebooks()), "player.html": _player()}
    pages["mistakes.md"] = _mistakes()
    for name, text in pages.items():
        _write(SOURCE / name, text)
    for path in SOURCE.rglob("*"):
        if path.is_file() and path.relative_to(SOURCE).as_posix() not in pages:
            path.unlink()
    _mathjax()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _texts() -> Iterator[tuple[str, str]]:
    for path in SITE.rglob("*.md"):
        if BUILD not in path.parents:
            yield path.relative_to(SITE).as_posix(), path.read_text(encoding="utf-8")


def _notebooks() -> Iterator[tuple[str, str]]:
    yield FIGURES, (ROOT / FIGURES).read_text(encoding="utf-8")
    for path in sorted(ROOT.glob("course/*.ipynb")):
        yield path.relative_to(ROOT).as_posix(), nbformat.writes(notebooks.lesson(_read(path)))
    for path in sorted(ROOT.glob("solutions/*/*.ipynb")):
        released = ROOT / "exercises" / path.relative_to(ROOT / "solutions")
        page = notebooks.assignment(_read(path), _read(released))
        yield released.relative_to(ROOT).as_posix(), nbformat.writes(page)


def _read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def _player() -> str:
    """Return the moving picture of the landing page: the five nodes of lesson 1."""
    from course.engine import Tensor, sin
    from course.graph import play

    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return play(w5).html()


def _mistakes() -> str:
    """Return the page of mistakes, made anew only when something that it is made from has changed."""
    folders = [ROOT / name for name in MISTAKES_FROM]
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix != ".pyc")
    stamp = fingerprint.of(files, [version("torch")])
    kept = BUILD / "mistakes.json"
    if kept.exists() and (stored := json.loads(kept.read_text(encoding="utf-8")))["of"] == stamp:
        return str(stored["page"])
    from reader_site import mistakes, mistakes_page

    page = mistakes_page.write(mistakes.read(), _lessons(), version("torch").partition("+")[0])
    _write(kept, json.dumps({"of": stamp, "page": page}))
    return page


def _lessons() -> dict[int, tuple[str, str]]:
    """Return the path and the title of each lesson, by its number."""
    found = {}
    for path in ROOT.glob("course/*.ipynb"):
        heading = _read(path).cells[0].source.splitlines()[0].removeprefix("# ")
        found[int(path.name[:2])] = f"course/{path.name}", heading.partition(". ")[2]
    return found


def _mathjax() -> None:
    package = find_spec("sphinx-mathjax-offline")
    if package is None or package.origin is None:
        raise ModuleNotFoundError(
            "sphinx-mathjax-offline, which brings MathJax, is not installed; run make site"
        )
    origin = Path(package.origin).parent / "static" / "mathjax"
    for pattern in MATHJAX:
        for path in origin.glob(pattern):
            target = STATIC / "mathjax" / path.relative_to(origin)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
