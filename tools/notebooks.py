"""Finds notebooks that are not as they should be in git: outputs, cell ids."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
import stills

ROOT = Path(__file__).resolve().parent.parent


def problems(path: Path) -> Iterator[str]:
    """Yield one sentence for each thing that is wrong with a stored notebook."""
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if path.parent == stills.LESSONS and stills.moves(cell):
            if not stills.is_still(cell):
                yield f"cell {cell.id} does not store a still picture of what moves; run `make pictures`"
        elif cell.outputs or cell.execution_count:
            yield f"cell {cell.get('id')} has outputs or a count stored; run `nbstripout --keep-id`"
    ids = Counter(cell.get("id") for cell in notebook.cells)
    for cell_id, count in ids.items():
        if cell_id is None or count > 1:
            yield f"cell id {cell_id} stands {count} times"


def notebooks() -> list[Path]:
    """Return every notebook that git knows or would add; in a container, the files may be another user's."""
    git = ["git", "-c", f"safe.directory={ROOT}"]
    command = [*git, "ls-files", "--cached", "--others", "--exclude-standard", "*.ipynb"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in sorted(set(listed.stdout.splitlines())) if (ROOT / line).exists()]


def main() -> int:
    """Print all problems; return 1 if there are any."""
    found = [f"{path.relative_to(ROOT)}: {problem}" for path in notebooks() for problem in problems(path)]
    print("\n".join(found) or f"{len(notebooks())} notebooks, all clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
