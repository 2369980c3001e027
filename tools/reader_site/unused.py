"""Takes out of the site what no page uses: files of the theme, and most of its styles, all of Bootstrap's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import tinycss2

CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")
OPTIONAL = re.compile(r":(?:not|is|where)\([^()]*\)")  # what stands in it need not be there
WORD = re.compile(r"[\w-]+")
SPACE = {"skip_comments": True, "skip_whitespace": True}
# Bootstrap's script names all of its classes: these are of the parts that pages have
ADDED = re.compile(r"tooltip|dropdown|collapse|collapsing|bs-|show|fade|active|disabled")
# templates of the theme, which lie among its static files, and its script of icons (icons.py)
NOT_FOR_READERS = ("*webpack-macros.html", "scripts/fontawesome*")


def take_out(html: Path) -> None:
    """Remove from a built site files of the theme, and rules for classes that no page and script names."""
    static = html / "_static"
    for pattern in NOT_FOR_READERS:
        for path in static.glob(pattern):
            path.unlink()
    sources = [*html.rglob("*.html"), *static.rglob("*.js")]
    texts = [path for path in sources if path.name != "bootstrap.js"]
    named = {word for path in texts for word in WORD.findall(path.read_text(encoding="utf-8"))}
    for path in static.rglob("*.css"):
        path.write_text(used(path.read_text(encoding="utf-8"), named), encoding="utf-8")


def used(styles: str, named: set[str]) -> str:
    """Return the rules that can match where all classes have one of these names."""
    return _written(tinycss2.parse_stylesheet(styles, **SPACE), named)


def _written(rules: list[Any], named: set[str]) -> str:
    parts = []
    for rule in rules:
        if rule.type == "qualified-rule":
            matching = ",".join(each for each in _selectors(rule.prelude) if _can_match(each, named))
            parts += [f"{matching}{{{tinycss2.serialize(rule.content)}}}"] if matching else []
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inside = _written(tinycss2.parse_rule_list(rule.content, **SPACE), named)
            condition = tinycss2.serialize(rule.prelude)
            parts += [f"@{rule.lower_at_keyword}{condition}{{{inside}}}"] if inside else []
        else:
            parts.append(rule.serialize())
    return "".join(parts)


def _selectors(prelude: list[Any]) -> list[str]:
    """Split at the commas that are not inside brackets."""
    found: list[list[Any]] = [[]]
    for token in prelude:
        if token == ",":
            found.append([])
        else:
            found[-1].append(token)
    return [tinycss2.serialize(each).strip() for each in found]


def _can_match(selector: str, named: set[str]) -> bool:
    names = CLASS.findall(OPTIONAL.sub("", selector))
    return all(name in named or "\\" in name or ADDED.match(name) for name in names)
