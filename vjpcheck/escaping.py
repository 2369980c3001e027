"""Escapes text that a student may have written, for each kind of output.

In every output, a character that is invisible or disturbs others (control characters, marks of the writing
direction, half a surrogate pair) is replaced by its code. JSON needs no escaping: it is written in ASCII.
"""

from __future__ import annotations

import html
import re

NAME_AT_MOST = 60  # characters; a longer name is cut
_MARKUP = re.compile(r"[\\$`*<>\[\]~|]|&(?=\w|#)|(?<![^\W_])_|_(?![^\W_])|:(?=//)|^[-+=#]")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|&#(36|92);")
# a backslash before one of these would start mathematics
_ENTITIES = {"\\": "&#92;", "$": "&#36;"}
_BYTE = 0xDC00  # Python adds this to a byte of a file name that is not UTF-8


def visible(text: str) -> str:
    """Return the text for a terminal or a plain text; line breaks and tabs stay."""
    return text if text.isprintable() else "".join(map(_shown, text))


def name(text: str) -> str:
    """Return the name of a file or a folder in one line of bounded length."""
    cut = text if len(text) <= NAME_AT_MOST else f"{text[:NAME_AT_MOST]}…"
    return visible(cut).replace("\n", r"\n").replace("\t", r"\t")


def for_html(text: str) -> str:
    """Return the text for an element or an attribute of a page."""
    return html.escape(visible(text))


def for_markdown(text: str) -> str:
    """Return the text as one paragraph of Markdown: no markup, no link, no mathematics."""
    line = " ".join(visible(text).split())
    return _MARKUP.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), line)


def from_markdown(text: str) -> str:
    """Return the original text of a result of `for_markdown`, in one line."""
    return _ESCAPED.sub(lambda match: match[1] or chr(int(match[2])), text)


def for_csv(text: str) -> str:
    """Return the text for a cell of a table: in one line, and not a formula in any spreadsheet."""
    line = " ".join(visible(text).split())
    return f"'{line}" if line.startswith(("=", "+", "@")) or _is_formula(line) else line


def _is_formula(line: str) -> bool:
    if not line.startswith("-"):
        return False
    try:
        float(line)
    except ValueError:
        return True
    return False


def _shown(character: str) -> str:
    code = ord(character)
    if character.isprintable() or character in "\n\t":
        return character
    if _BYTE + 0x80 <= code <= _BYTE + 0xFF:
        return f"\\x{code - _BYTE:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
