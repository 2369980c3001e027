"""Prints how many lines of code each file of course/engine has, and fails above the limits.

The engine is to be read in one sitting. Comments, docstrings and empty lines are free.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

ENGINE = Path(__file__).parent.parent / "course" / "engine"
LIMITS = {"core.py": 250, "course/engine": 700}
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
    if any(counts[name] > limit for name, limit in LIMITS.items()):
        sys.exit("course/engine has become too long to be read in one sitting")


if __name__ == "__main__":
    main()
