"""The players of the lessons, made from their cells: of what a lesson runs, only what a player needs."""

import ast
from dataclasses import dataclass
from pathlib import Path

import nbformat

LESSONS = sorted((Path(__file__).resolve().parents[3] / "course").glob("*.ipynb"))
PLAYERS = ("play", "explore")


@dataclass(frozen=True)
class Shown:
    """A cell that ends with a player, and the statements before its end, each with the cell that it is in."""

    lesson: str
    cell: str
    call: ast.expr
    before: tuple[tuple[str, ast.stmt], ...]

    def player(self):
        """Run what the call needs, and return the player; `In` holds the sources, as in a notebook."""
        needed, kept = names_in(self.call), []
        for cell, statement in reversed(self.before):
            if cell == self.cell or names_in(statement, ast.Store) & needed:
                kept.append((cell, statement))
                needed |= names_in(statement)
        kept.reverse()
        names = {"In": [ast.unparse(statement) for _, statement in kept]}
        for cell, statement in kept:
            file = f"<{self.lesson} {cell}>"
            exec(compile(ast.Module([statement], []), file, "exec"), names)
        return eval(compile(ast.Expression(self.call), f"<{self.lesson} {self.cell}>", "eval"), names)


def names_in(tree, context=ast.Load):
    """Return the names that a statement uses, or with `ast.Store` those that it defines."""
    found = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, context)
    }
    if context is ast.Store:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                found |= names_in(node.value)  # what is changed in place
    return found


def shown_in(path):
    """Go through the players of a lesson."""
    before = []
    for cell in nbformat.read(path, as_version=4).cells:
        if "now-you" in cell.metadata.get("tags", []):  # what the reader writes: a lesson runs without it
            continue
        statements = ast.parse(cell.source).body if cell.cell_type == "code" else []
        last = getattr(statements[-1], "value", None) if statements else None
        name = getattr(getattr(last, "func", None), "id", None)
        if name in PLAYERS:
            before += [(cell.id, statement) for statement in statements[:-1]]
            yield Shown(path.stem[:2], cell.id, last, tuple(before))
        else:
            # what a cell shows or checks defines nothing
            before += [(cell.id, each) for each in statements if not isinstance(each, ast.Expr)]


ALL = [shown for path in LESSONS for shown in shown_in(path)]
