"""Reads `allowed.toml`, the list of what course work may reach.

An exercise lists further needs in its `may_use`, such as native autograd where its text allows it.
"""

import builtins
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

# what some work needs beside operations on tensors
MayUse = Literal["autograd", "graph", "overrides", "custom ops"]

_Words = Mapping[str, frozenset[str]]


def _words(table: Mapping[str, Any]) -> _Words:
    """Split the texts of a table into words; raise TypeError for anything that is no text."""
    for name, text in table.items():
        if not isinstance(text, str):
            raise TypeError(f"allowed.toml: {name} is {text!r}, not a string of names")
    return {name: frozenset(text.split()) for name, text in table.items()}


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
MODULES, TYPES, WRITABLE, _PUBLIC = (
    _words(_FILE.pop(name)) for name in ("modules", "types", "writable", "public")
)
GROUPS = {group: _words(table) for group, table in _FILE.pop("groups").items()}
if GROUPS.keys() != set(get_args(MayUse)):
    raise ValueError(f"allowed.toml: the groups are {sorted(GROUPS)}")
_LISTS = _words(_FILE)
MADE, FREE = _LISTS["made"], _LISTS["free"]
DUNDERS = frozenset(f"__{name}__" for name in _LISTS["dunders"])
READ_ONLY_DUNDERS = frozenset({"__class__", "__module__", "__dict__"})
NAMES = frozenset({"__name__", "__class__", "__debug__", "__doc__"})
_EXCEPTIONS = (e for e in vars(builtins).values() if isinstance(e, type) and issubclass(e, BaseException))
BUILTINS = _LISTS["builtins"].union(e.__name__ for e in _EXCEPTIONS)


class Allowed:
    """What the work of exercises with this `may_use` may reach."""

    def __init__(self, may_use: Iterable[MayUse]) -> None:
        self._tables = [MODULES, *(GROUPS[group] for group in may_use)]
        self.words = frozenset(word for group in self._tables[1:] for word in group.get("", ()))
        self.dunders = DUNDERS | {word for word in self.words if is_dunder(word)}

    def has_module(self, module: str) -> bool:
        """Return whether a module may be imported."""
        return any(module in table for table in self._tables)

    def has_of(self, module: str, name: str) -> bool:
        """Return whether a name of a module may be used."""
        if module.startswith("torch.ops") and self.has_of("torch", "ops"):
            return not name.startswith("_")
        listed = any(name in table.get(module, ()) for table in self._tables)
        return listed or self.has_module(f"{module}.{name}")

    def has_attribute(self, owner: type, name: str) -> bool:
        """Return whether a public name that a library's class defines or inherits may be used."""
        return name in self.words or name in names_of(owner)


def is_dunder(name: str) -> bool:
    """Return whether a name has a meaning for Python."""
    return name.startswith("__") and name.endswith("__")


def path_of(kind: type) -> str:
    """Return the dotted name of a class, as the tables have it."""
    module = type.__dict__["__module__"].__get__(kind)
    name = type.__dict__["__qualname__"].__get__(kind)
    return str(name) if module == "builtins" else f"{module}.{name}"


@cache
def names_of(kind: type) -> frozenset[str]:
    """Return the public names that the table lists for a class itself."""
    path = path_of(kind)
    public = frozenset(name for name in dir(kind) if not name.startswith("_")) - _PUBLIC["forbidden"]
    of_public_module = path.startswith(tuple(_PUBLIC["modules"]))
    if path in _PUBLIC["types"] or of_public_module or (issubclass(kind, tuple) and kind is not tuple):
        return public
    words = TYPES.get(path, frozenset())
    return words - {"*"} | public if "*" in words else words


@cache
def writable(kind: type) -> frozenset[str]:
    """Return the attributes of a library's class that may be assigned."""
    return WRITABLE.get(path_of(kind), frozenset())
