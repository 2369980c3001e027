"""The pages that the site must have: taken from what is in the repository."""

from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
LESSONS = [path.stem for path in sorted((ROOT / "course").glob("*.ipynb"))]
ASSIGNMENTS = [name for name in LESSONS if (ROOT / "solutions" / name).is_dir()]
TEXTS = [
    path.relative_to(SITE).with_suffix("").as_posix()
    for path in sorted(SITE.rglob("*.md"))
    if "_build" not in path.parts
]


def exercises_of(assignment: str) -> str:
    """Return the path of an assignment's page."""
    return f"exercises/{assignment}/{assignment[:2]}-exercises"


PAGES = [
    *TEXTS,
    *(f"course/{name}" for name in LESSONS),
    *map(exercises_of, ASSIGNMENTS),
    *("gallery", "wild", "mistakes", "search", "genindex"),
]


def code_of(page: str) -> list[str]:
    """Return the code cells behind a page, none where it is no notebook."""
    path = ROOT / f"{page.replace('exercises/', 'solutions/', 1)}.ipynb"
    if not path.exists():
        return []
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
