"""What a package's docstring tells to read is there, under that name."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER = re.compile(r"\bRead\b.*?(?=\n\n[A-Z]|\Z)", re.DOTALL)  # with a list that follows
ORDERS = {
    path.parent: order[0]
    for folder in ("autograder", "course", "vjpcheck")
    for path in sorted((ROOT / folder).rglob("__init__.py"))
    if (order := ORDER.search(ast.get_docstring(ast.parse(path.read_text())) or ""))
}


def names_in(package: Path) -> set[str]:
    """Return what a package has: folders, files, modules, and the functions and classes of its modules."""
    found = set()
    for path in package.rglob("*"):
        found |= {f"{path.name}/"} if path.is_dir() else {path.name, path.stem}
        if path.suffix == ".py":
            defined = ast.parse(path.read_text()).body
            found |= {each.name for each in defined if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    return found


@pytest.mark.parametrize(
    "package", ORDERS, ids=lambda package: package.relative_to(ROOT).as_posix().replace("/", ".")
)
def test_a_reading_order_names_what_there_is(package):
    named = set(re.findall(r"`([\w./]+)`", ORDERS[package]))
    assert named
    assert named <= names_in(package), named - names_in(package)
