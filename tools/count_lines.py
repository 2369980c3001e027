"""Prints how many lines of code the engine, the checker, the autograder and the corpus have.

Comments, docstrings and empty lines are free; a line of an edit in the corpus counts. It fails where the
engine is above its limits, because it is to be read in one sitting. The budgets of the others are aims.
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "course" / "engine"
LIMITS = {"core.py": 250, "course/engine": 700}
BUDGETS = {"vjpcheck": 10_000, "autograder": 12_500, "tests/submissions": 27_000}
EDIT = re.compile(r"# [-+ ]")  # a line that an edit of a right submission takes away, adds or looks for
SPACE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def lines_of_code(source: str) -> int:
    """Count the lines that hold a token of code."""
    tree = ast.parse(source)
    texts: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            text = node.body[0]
            texts.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    code = {line for t in tokens if t.type not in SPACE for line in range(t.start[0], t.end[0] + 1)}
    return len(code - texts)


def main() -> None:
    """Print the counts; exit with 1 where one is above its limit."""
    counts = {path.name: lines_of_code(path.read_text("utf-8")) for path in sorted(ENGINE.glob("*.py"))}
    counts["course/engine"] = sum(counts.values())
    for name, count in counts.items():
        limit = f" of {LIMITS[name]} at most" if name in LIMITS else ""
        print(f"{count:5} lines of code in {name}{limit}")
    for folder, budget in BUDGETS.items():
        sources = [path.read_text("utf-8") for path in (ROOT / folder).rglob("*.py")]
        count = sum(map(lines_of_code, sources))
        if folder == "tests/submissions":
            count += sum(bool(EDIT.match(line)) for source in sources for line in source.splitlines())
        print(f"{count:5} lines of code in {folder}, which has a budget of {budget}")
    if any(counts[name] > limit for name, limit in LIMITS.items()):
        sys.exit("course/engine has become too long to be read in one sitting")


if __name__ == "__main__":
    main()
