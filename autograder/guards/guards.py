"""Decides, while the code runs, whether an object's attribute, a module or a name of it may be used.

Only types are inspected: no attribute of an object is read, which could run code. Objects are compared by
identity, as a class may define `==`. Whatever is refused is recorded here, out of the code's reach, since the
code can catch the exception.
"""

import importlib.util
import linecache
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from autograder.guards.allowed import (
    FREE,
    MADE,
    READ_ONLY_DUNDERS,
    Allowed,
    MayUse,
    is_dunder,
    path_of,
    writable,
)
from vjpcheck.probe.own_code import mentioned, own_code

CELL = "<cell "  # the files of guarded cells begin with this
_STUDENTS = "__main__"
_REFUSALS_AT_MOST = 20
_type_dict = type.__dict__["__dict__"].__get__
_mro = type.__dict__["__mro__"].__get__
_super_dict = super.__dict__
_module = type.__dict__["__module__"].__get__
_set_by_type = (property, type(FunctionType.__code__), type(FunctionType.__closure__))


class NotAllowed(Exception):  # noqa: N818 - the message is a sentence about course work
    """The code uses something that course work does not need: `what`, in a few words."""

    def __init__(self, what: str) -> None:
        super().__init__(f"no exercise needs {what}")
        self.what = what


class Guards:
    """The guards of one process; `refusals` has what was refused, each with its line."""

    def __init__(self, allowed: Allowed) -> None:
        self.allowed = allowed
        self.refusals: list[str] = []
        self.stand_ins: dict[int, Any] = {}  # by the id of what they replace
        # what was allowed, by type or module: as long as no class of the student's has changed
        self._fine: set[tuple[type | ModuleType, str]] = set()

    def refuse(self, what: str) -> NotAllowed:
        """Record a refusal and return the exception to be raised."""
        line = _line()
        if len(self.refusals) < _REFUSALS_AT_MOST:
            self.refusals.append(f"{what}{line}")
        return NotAllowed(what)

    def read(self, value: Any, name: str) -> Any:
        """Return what the attribute is to be read from: the value itself, or a holder of a stand-in."""
        kind = type(value)
        if (kind, name) in self._fine or (kind is ModuleType and (value, name) in self._fine):
            return value
        if kind is Withheld:
            raise self.refuse(value.what)
        if issubclass(kind, ModuleType):
            return self._of_module(value, name)
        if issubclass(kind, type):
            fine = self._class_has(value, name)
        elif kind is super:
            fine = self._super_has(value, name)
        elif self._type_has(kind, name):
            fine = True
            if name != "__class__":
                self._fine.add((kind, name))
        else:
            fine = self._object_has(value, kind, name)
        if not fine:
            raise self.refuse(f"{_owner(value)}.{name}")
        if name == "__class__":
            return _Classed(self.shown(kind))
        return value

    def write(self, value: Any, name: str) -> Any:
        """Return a value whose attribute may be assigned or deleted."""
        kind = type(value)
        if issubclass(kind, type):
            fine = _is_students(value) and not is_dunder(name)
            self._fine.clear()
        elif kind is FunctionType:
            fine = _is_students_function(value) and not is_dunder(name)
        else:
            fine = not issubclass(kind, ModuleType) and self._instance_takes(kind, name)
        if not fine:
            raise self.refuse(f"an assignment to {_owner(value)}.{name}")
        return value

    def pattern(self, kind: Any, count: int, *names: str) -> Any:
        """Return a class of a pattern, whose objects are asked for attributes: so many of them by place."""
        if issubclass(type(kind), type):
            if _is_students(kind):  # a dataclass names the attributes of its places
                names = (*names, *getattr(kind, "__match_args__", ())[:count])
            bases = _bases(_torch()) if _is_students(kind) else ()  # a subclass may have one of them, too
            for name in names:
                mixed = [base for base in bases if name in _hidden(_torch()) or hasattr(base, name)]
                if not all(self._type_has(each, name) for each in (kind, *mixed)):
                    raise self.refuse(f"{_owner(kind)}({name}=) in a pattern")
        return kind

    def module(self, name: str, whole: bool) -> Any:
        """Import a module and return it, or with `whole` unset its outermost package."""
        if not self.allowed.has_module(name):
            if _exists(name):
                return Withheld(self, name)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = importlib.import_module(name)
        outermost = name.partition(".")[0]
        if not whole and outermost != name and not self.allowed.has_module(outermost):
            return Withheld(self, outermost)
        return module if whole else sys.modules.get(outermost, module)

    def of_module(self, module: str, name: str, level: int) -> Any:
        """Import a name of a module, as `from module import name` does."""
        whole = f"{'.' * level}{module}.{name}"
        if level or name == "*" or not (self.allowed.has_of(module, name) or self.allowed.has_module(whole)):
            if level or _exists(module):
                return Withheld(self, whole)
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        imported = importlib.import_module(module)
        if not hasattr(imported, name):
            if self.allowed.has_module(whole):
                return importlib.import_module(whole)
            raise ImportError(f"cannot import name {name!r} from {module!r}")
        return self.shown(getattr(imported, name))

    def shown(self, value: Any) -> Any:
        """Return an object of a library, or its stand-in."""
        if issubclass(type(value), type) and issubclass(value, type):
            value = type  # a metaclass makes classes, as type does
        return self.stand_ins.get(id(value), value)

    def own(self, value: Any) -> bool:
        """Return whether a class or a function is defined by the code itself."""
        if issubclass(type(value), type):
            return _is_students(value)
        return type(value) is FunctionType and _is_students_function(value)

    def plain(self, kind: type) -> bool:
        """Return whether a class is defined by the code, and so are all its bases."""
        return all(_is_students(each) or each is object for each in _mro(kind))

    def _of_module(self, module: ModuleType, name: str) -> Any:
        path = ModuleType.__getattribute__(module, "__name__")
        public = name in ("__version__", "__name__", "__doc__") or not hasattr(module, name)
        if not public and not self.allowed.has_of(path, name):
            raise self.refuse(f"{path}.{name}")
        value = getattr(module, name, self)
        shown = value if value is self else self.shown(value)
        if shown is not value:
            return SimpleNamespace(**{name: shown})
        if value is not self and type(module) is ModuleType:
            self._fine.add((module, name))
        return module

    def _class_has(self, owner: Any, name: str) -> bool:
        """Return whether a class may be asked for an attribute, its own or one of its type."""
        if name in ("__name__", "__qualname__", "__doc__", "__class__", "__module__"):
            return True
        if (found := self._defined(_mro(owner), name)) is not None:
            return found
        return not hasattr(type, name) and not is_dunder(name)

    def _super_has(self, value: Any, name: str) -> bool:
        start, kind = (_super_dict[name].__get__(value) for name in ("__thisclass__", "__self_class__"))
        order = _mro(kind)
        behind = order[[id(c) for c in order].index(id(start)) + 1 :]
        found = self._defined(behind, name)
        return not is_dunder(name) if found is None else found

    def _type_has(self, kind: type, name: str) -> bool:
        """Return whether every object of a type may be asked for an attribute."""
        if name in READ_ONLY_DUNDERS:
            return name != "__dict__" or self.plain(kind)
        found = self._defined(_order(kind), name)
        return found or (
            found is None and (self._takes_names(kind, name) or self.allowed.has_attribute(kind, name))
        )

    def _object_has(self, value: Any, kind: type, name: str) -> bool:
        if self._defined(_order(kind), name) is not None or is_dunder(name):
            return False
        return (kind is FunctionType and _is_students_function(value)) or _lacks(value, kind, name)

    def _instance_takes(self, kind: type, name: str) -> bool:
        if is_dunder(name):
            return False
        for each in _order(kind):
            if name in _type_dict(each):
                if _is_students(each):
                    return True
                listed = any(name in writable(c) for c in _mro(kind))
                hidden = issubclass(type(_type_dict(each)[name]), _set_by_type)
                return listed or (_is_students(kind) and not hidden and not name.startswith("_"))
        return self._takes_names(kind, name) or any(name in writable(c) for c in _mro(kind))

    def _takes_names(self, kind: type, name: str) -> bool:
        """Return whether objects of a type have attributes of the student's, this name among them."""
        if is_dunder(name) or (name in _hidden(_torch()) and _is_module(kind)):
            return False
        return _is_students(kind) or any(path_of(each) in FREE for each in _mro(kind))

    def _defined(self, order: tuple[type, ...], name: str) -> bool | None:
        """Return whether a name that one of these classes defines may be used; None if none defines it."""
        for each in order:
            if name not in _type_dict(each):
                continue
            if _is_students(each):
                return True
            if is_dunder(name):
                if name in ("__new__", "__init__", "__call__") and name not in self.allowed.words:
                    return path_of(each) in MADE or issubclass(each, BaseException) or _is_module(each)
                return name in self.allowed.dunders
            return any(self.allowed.has_attribute(c, name) for c in order)
        return None


def foreseen(work: Any, may_use: Iterable[MayUse]) -> str:
    """Return a name in the code of a piece of work that the guards would refuse when it is graded, or ''.

    Only what modules and classes are asked for can be known without running the code.
    """
    guards = Guards(Allowed(may_use))
    with suppress(Exception):  # odd objects of the work may raise
        for own in own_code(work):
            for mention in mentioned(own.code, own.function):
                if isinstance(mention.owner, ModuleType | type):
                    try:
                        guards.read(mention.owner, mention.name.rpartition(".")[2])
                    except NotAllowed:
                        return mention.name
    return ""


class _Classed:
    """Holds a stand-in for what `x.__class__` gives."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, "_kind")


class Withheld:
    """Stands for what was refused: whatever is done with it is refused, too, and recorded only then."""

    def __init__(self, guards: Guards, what: str) -> None:
        self._guards, self.what = guards, what

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise self._guards.refuse(self.what)

    __call__ = __getitem__ = __iter__ = __enter__ = __bool__ = __str__ = __repr__ = __len__ = _refuse
    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __matmul__ = __neg__ = (
        _refuse
    )
    __mro_entries__ = _refuse


def _order(kind: type) -> tuple[type, ...]:
    """Return the classes in which an attribute of an object is looked up."""
    order: tuple[type, ...] = _mro(kind)
    if any(path_of(each).endswith(".WrappedCtx") for each in order):
        order = (*order, *sys.modules["torch"].autograd.function.BackwardCFunction.__mro__)
    return order


def _torch() -> ModuleType | None:
    return sys.modules.get("torch")


def _is_module(kind: type) -> bool:
    return any(path_of(each) == "torch.nn.modules.module.Module" for each in _mro(kind))


@cache
def _bases(torch: ModuleType | None) -> tuple[type, ...]:
    """Return library classes with attributes that no list has; lessons 1 to 3 need no torch."""
    return (BaseException, torch.Tensor, torch.nn.Module) if torch else (BaseException,)


@cache
def _hidden(torch: ModuleType | None) -> frozenset[str]:
    """Return the attributes that torch itself keeps on a module, such as its hooks."""
    return frozenset(vars(torch.nn.Module())) if torch else frozenset()


def _lacks(value: Any, kind: type, name: str) -> bool:
    """Return whether an object has no attribute of a name that none of its classes has either."""
    if any(
        "__getattr__" in _type_dict(each) or "__getattribute__" in _type_dict(each)
        for each in _mro(kind)[:-1]
    ):
        return False
    try:
        return name not in object.__getattribute__(value, "__dict__")
    except AttributeError:
        return True


def _is_students(kind: type) -> bool:
    return bool(_module(kind) == _STUDENTS)


def _is_students_function(function: FunctionType) -> bool:
    return function.__code__.co_filename.startswith(CELL)


def _exists(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _owner(value: Any) -> str:
    kind = type(value)
    if issubclass(kind, ModuleType):
        return str(ModuleType.__getattribute__(value, "__name__"))
    if kind is FunctionType:
        return str(value.__name__)
    return str(type.__dict__["__name__"].__get__(value if issubclass(kind, type) else kind))


def _line() -> str:
    frame: Any = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(CELL):
            text = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()[:80]
            return f" (line {frame.f_lineno}: {text})"
        frame = frame.f_back
    return ""
