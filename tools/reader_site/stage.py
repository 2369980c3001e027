"""Lays out the sources of the site where Sphinx reads them, under the paths that they have in the repository.

So the links between notebooks hold as they are, and the launch button of a page opens the notebook of that
name. Only what changed is written, which is what tells Sphinx what to read again.
"""

from __future__ import annotations

import glob
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import nbformat

from reader_site import BUILD, ROOT, SITE, fingerprint, formulas, icons, notebooks, page_cells, scripts, theme

SOURCE = BUILD / "source"
STATIC = BUILD / "static"
FIGURES = "course/matplotlibrc"  # matplotlib reads it in the folder of the notebook
IN_TURN = "LESSONS AND EXERCISES"  # stands for the entries in the first page's table of contents
# what the pages depend on that come from running code
RUN_BY_PAGES = (
    "autograder",
    "vjpcheck",
    "tests/submissions",
    "site/mistakes",
    "site/gallery",
    "site/wild",
    "tools/reader_site",
    "course",
)


def stage(solutions: bool = True, others: Sequence[str] = ()) -> None:
    """Write all sources below `site/_build/source`, and remove those whose original is gone.

    The assignments are those of the lessons, and `others` by the names of their folders: exercises/ may hold
    a variant or a midterm that nobody is to see yet. Without solutions, exercises stand there as students
    receive them, and no page has code that solves one. Raises SystemExit for an unknown name.
    """
    released = _released(others)
    pages = {**dict(_texts(released)), **dict(_notebooks(released, solutions)), **_run(solutions)}
    for name, text in pages.items():
        _write(SOURCE / name, text)
    for path in SOURCE.rglob("*"):
        if path.is_file() and path.relative_to(SOURCE).as_posix() not in pages:
            path.unlink()
    shutil.rmtree(STATIC, ignore_errors=True)  # what a former version wrote would be published
    page_cells.write(_lesson_paths())
    scripts.bundle()
    _write(STATIC / "icons.css", icons.styles())
    _write(STATIC / theme.STYLES, theme.styles())
    _write(STATIC / theme.SCRIPT, theme.script())
    _write(STATIC / "katex.css", formulas.styles())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _released(others: Sequence[str]) -> list[Path]:
    """Return the released notebooks of the lessons' assignments, then those of others."""
    own = [ROOT / "exercises" / path.stem / f"{path.name[:2]}-exercises.ipynb" for path in _lesson_paths()]
    notebooks = [path for path in own if path.exists()]
    for name in others:
        named = sorted(ROOT.glob(f"exercises/{glob.escape(name)}/*.ipynb"))
        if not named:
            sys.exit(f"There is no assignment {name}: no notebook in exercises/{name}/.")
        notebooks += [path for path in named if path not in notebooks]
    return notebooks


def _lesson_paths() -> list[Path]:
    return sorted(ROOT.glob("course/*.ipynb"))


def _texts(released: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in SITE.rglob("*.md"):
        if BUILD not in path.parents:
            text = path.read_text(encoding="utf-8").replace(IN_TURN, "\n".join(_in_turn(released)))
            yield path.relative_to(SITE).as_posix(), text


def _in_turn(released: Sequence[Path]) -> Iterator[str]:
    """Yield the entries of the table of contents: each lesson under a short name, then its exercises.

    Last come the assignments of no lesson, such as a midterm.
    """
    lessons = _lesson_paths()
    for path in lessons:
        yield f"{_heading(path).partition(':')[0]} <course/{path.stem}>"
        yield f"Exercises {int(path.name[:2])} <exercises/{path.stem}/{path.name[:2]}-exercises>"
    for path in released:
        if path.parent.name not in {lesson.stem for lesson in lessons}:
            yield f"{_heading(path)} <exercises/{path.parent.name}/{path.stem}>"


def _heading(path: Path) -> str:
    return str(_read(path).cells[0].source.splitlines()[0].removeprefix("# "))


def _notebooks(released: Sequence[Path], solutions: bool) -> Iterator[tuple[str, str]]:
    yield FIGURES, (ROOT / FIGURES).read_text(encoding="utf-8")
    for path in _lesson_paths():
        name = path.relative_to(ROOT).as_posix()
        yield name, nbformat.writes(notebooks.lesson(_read(path), name))
    for path in released:
        source, received = ROOT / "solutions" / path.relative_to(ROOT / "exercises"), _read(path)
        page = notebooks.assignment(_read(source), received) if solutions else notebooks.unsolved(received)
        yield path.relative_to(ROOT).as_posix(), nbformat.writes(page)


def _read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def _run(solutions: bool) -> dict[str, str]:
    """Return the pages that come from running code, run again only if one of their sources has changed."""
    folders = [ROOT / name for name in RUN_BY_PAGES]
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix != ".pyc")
    stamp = fingerprint.of(files, [version("torch"), f"solutions {solutions}"])
    kept = BUILD / "run.json"
    if kept.exists() and (stored := json.loads(kept.read_text(encoding="utf-8")))["of"] == stamp:
        return dict(stored["pages"])
    from reader_site import front, gallery, gallery_page, mistakes, mistakes_page, wild_page

    torch = version("torch").partition("+")[0]
    wrongs = gallery.every()
    pages = {
        "mistakes.md": mistakes_page.write(mistakes.read(), _lessons(), torch, solutions),
        "gallery.md": gallery_page.write(wrongs, _lessons(), torch),
        "wild.md": wild_page.write(gallery.every(gallery.WILD), wild_page.trials(), _lessons(), torch),
        **front.pieces(wrongs),
    }
    _write(kept, json.dumps({"of": stamp, "pages": pages}))
    return pages


def _lessons() -> dict[int, tuple[str, str]]:
    """Return the path and the title of each lesson, by its number."""
    found = {}
    for path in _lesson_paths():
        heading = _read(path).cells[0].source.splitlines()[0].removeprefix("# ")
        found[int(path.name[:2])] = f"course/{path.name}", heading.partition(". ")[2]
    return found
