"""Writes the few icons of the theme as styles, each an SVG, in place of its script and fonts of all icons."""

from __future__ import annotations

import re
from urllib.parse import quote

from reader_site.theme import THEME

ALL = THEME / "scripts" / "fontawesome.js"
NAMES = ("angle-left", "angle-right", "arrow-up", "bars", "circle-half-stroke", "expand", "github", "list")
NAMES += ("magnifying-glass", "moon", "sun")
SHAPE = """\
:is(i, span)[class*="fa-"] { font-family: inherit !important; }
:is(i, span)[class*="fa-"]::before {
  content: "" !important; display: inline-block; width: calc(1em * var(--wide)); height: 1em;
  vertical-align: -0.125em; font-family: inherit !important;
  background: currentColor; mask: var(--icon) center / contain no-repeat;
}
i.fa-lg { font-size: 1.1em; line-height: 0.05em; vertical-align: -0.075em; }
i.fa-fw::before { width: 1.25em; }
"""


def styles() -> str:
    """Return the styles of all icons in use; raises ValueError for one that the theme does not have."""
    source = ALL.read_text(encoding="utf-8")
    return SHAPE + "".join(_rule(name, source) for name in NAMES)


def _rule(name: str, source: str) -> str:
    key = f'"{name}"' if "-" in name else name
    # of the families that have it, the solid one comes last
    found = re.findall(rf'[{{,]{key}:\[(\d+),(\d+),\[[^\]]*\],"\w+","([^"]+)"\]', source)
    if not found:
        raise ValueError(f"the theme has no icon {name!r}")
    width, height, path = found[-1]
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><path d="{path}"/></svg>'
    wide = int(width) / int(height)
    return f".fa-{name} {{ --wide: {wide:g}; --icon: url('data:image/svg+xml,{quote(svg)}'); }}\n"
