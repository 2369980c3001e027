"""Files of the theme without the parts that the site does in another way."""

from __future__ import annotations

import re
from pathlib import Path

import pydata_sphinx_theme

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static"
STYLES, SCRIPT = "styles/pydata-sphinx-theme.css", "scripts/pydata-sphinx-theme.js"
LETTERS = re.compile(r'(?:\.fa-[\w-]+,?)+\{--fa:"[^"]*"\}')  # which letter of the font is which icon
# after each change of the page it lays out each fold, one by one; site.js does this for what is unfolded
REACH = "e.tabIndex=e.scrollWidth>e.clientWidth||e.scrollHeight>e.clientHeight?0:-1"


def styles() -> str:
    """Return the theme's styles without those of its font of icons."""
    return LETTERS.sub("", (THEME / STYLES).read_text(encoding="utf-8"))


def script() -> str:
    """Return the theme's script without its search for boxes that scroll; raises ValueError without that."""
    text = (THEME / SCRIPT).read_text(encoding="utf-8")
    if REACH not in text:
        raise ValueError(f"the theme's script has no {REACH}")
    return text.replace(REACH, "0").partition("//# sourceMappingURL")[0]
