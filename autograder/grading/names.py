"""Decides which names of folders, files and archives can be a student's id."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vjpcheck import escaping

CHARACTERS_AT_MOST = 100
_MARKS = " ._-@+',()#~"
RULE = (
    f"A student id has at most {CHARACTERS_AT_MOST} characters: letters, digits, spaces and any of "
    f"{' '.join(_MARKS.strip())}; it begins with a letter, a digit or _, and does not end with a space or "
    "a dot"
)


def called(student: str, names: Mapping[str, str]) -> str:
    """Return a student's id for the terminal, with the name beside it if there is one."""
    name = names.get(student, "")
    return f"{student} ({escaping.name(name)})" if name not in ("", student) else student


@dataclass(frozen=True)
class Misnamed:
    """A folder or a file whose name cannot be a student's id; `name` is the escaped name."""

    name: str
    why: str

    @staticmethod
    def of(name: str) -> Misnamed:
        """Return the name, escaped, and the reason why it is not an id."""
        return Misnamed(escaping.name(name), _why(name))


def is_id(name: str) -> bool:
    """Return whether a name can be a student's id in the gradebook, in paths, on pages and in tables."""
    return not _why(name)


def sort_out(names: Iterable[str]) -> tuple[list[str], list[Misnamed]]:
    """Return the names that are ids, and the others with their reasons; both sorted."""
    ids, misnamed = [], []
    for name in sorted(names):
        if is_id(name):
            ids.append(name)
        else:
            misnamed.append(Misnamed.of(name))
    return ids, misnamed


def _why(name: str) -> str:
    if not name:
        return "it is empty"
    if len(name) > CHARACTERS_AT_MOST:
        return f"it has {len(name)} characters"
    odd = next((one for one in name if not (_is_of_a_word(one) or one in _MARKS)), "")
    if odd:
        return f"it has the character {escaping.name(odd)}"
    if not (_is_of_a_word(name[0]) and not unicodedata.category(name[0]).startswith("M")) and name[0] != "_":
        return f"it begins with {name[0]!r}"
    return f"it ends with {name[-1]!r}" if name[-1] in " ." else ""


def _is_of_a_word(character: str) -> bool:
    # letters, the marks of letters, numbers; other characters are invisible, or special to some program
    return unicodedata.category(character)[0] in "LMN"
