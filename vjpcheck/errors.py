"""Describes an exception in student code, as one sentence and as plain data."""

from __future__ import annotations

import functools
import inspect
import linecache
import re
import sysconfig
import textwrap
import tokenize
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypedDict

from vjpcheck.result import NOT_STARTED
from vjpcheck.time_limit import Stopped
from vjpcheck.torch_internals import Message, Unavailable

LINE_AT_MOST, SOURCE_AT_MOST = 200, 10_000  # characters of a student's code in the data of an error
# found without an import: work on the engine needs no torch. It may lie elsewhere, as with PYTHONPATH
_TORCH = spec.submodule_search_locations if (spec := find_spec("torch")) else None
_not_the_students: tuple[str, ...] = (
    str(Path(__file__).parent),
    sysconfig.get_path("stdlib"),
    sysconfig.get_path("purelib"),
    sysconfig.get_path("platlib"),
    *(_TORCH or ()),
    "<frozen",
)


def add_own_code(*folders: Path) -> None:
    """Declare that the files in these folders contain no code of the student's."""
    global _not_the_students
    _not_the_students = tuple(dict.fromkeys([*_not_the_students, *map(str, folders)]))


class WrongReturn(Exception):  # noqa: N818 - ours, about what the student's code returned
    """A method of the work returned a wrong value; the message says which, without a line."""


class StudentError(TypedDict):
    """The type and the message of an exception, and the student's line that raised it (or an empty string).

    `tuples` names the local variables at that line that are tuples of tensors, and the attributes of ctx
    (`ctx.x`) that are tuples starting with a tensor. `shapes` has the shapes of the tensors, `parameters` the
    names of the function's parameters, and `function` its source.
    """

    type: str
    message: str
    during: str
    line: str
    tuples: list[str]
    shapes: dict[str, list[int]]
    parameters: list[str]
    function: str


# NumPy's messages about shapes that do not match
_SHAPES = re.compile(
    r"broadcast together with shapes|cannot reshape|could not be broadcast|mismatch in its core dimension"
    r"|not aligned|boolean index did not match|dimensions .* must match"
)


def does_not_fit(error: StudentError) -> bool:
    """Return whether an exception is about shapes that do not match."""
    message = error["message"]
    return (Message.SHAPES.find(message) or _SHAPES.search(message)) is not None


def says_what_is_missing(error: StudentError) -> bool:
    """Return whether an exception says that an attribute, a key or an item is missing."""
    return error["type"] in ("AttributeError", "KeyError", "IndexError")


def kind(value: Any) -> str:
    """Return the type of a value for a sentence: `None`, `a list`, `an int`."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def is_students(frame: FrameType) -> bool:
    """Return whether the code that runs in a frame is the student's own."""
    return is_students_code(frame.f_code)


def is_students_code(code: CodeType) -> bool:
    """Return whether a piece of code is the student's own."""
    return not code.co_filename.startswith(_not_the_students)


def students_line(frame: FrameType | None) -> str:
    """Return the innermost line of the student's from a frame outwards, or an empty string."""
    while frame is not None:
        if is_students(frame):
            return _line(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return ""


def _line(filename: str, number: int) -> str:
    source = linecache.getline(filename, number).strip()[:LINE_AT_MOST]
    return f"line {number}: {source}" if source else f"line {number}"


def describe_error(error: BaseException, during: str) -> StudentError:
    """Return an exception as plain data; `line` is the innermost line of the student's."""
    line, local, code = "", dict[str, Any](), None
    for frame, number in traceback.walk_tb(error.__traceback__):
        filename = frame.f_code.co_filename
        if not filename.startswith(_not_the_students):
            line = _line(filename, number)
            local, code = frame.f_locals, frame.f_code
    return {
        "type": str(type(error).__name__),
        "message": _message(error),
        "during": during,
        "line": line,
        "tuples": [name for name, value in local.items() if _of_tensors(value)] + _on_ctx(local),
        "shapes": {name: list(value.shape) for name, value in local.items() if _is_tensor(value)},
        "parameters": list(code.co_varnames[: code.co_argcount]) if code else [],
        "function": _source(code) if code else "",
    }


@functools.lru_cache(maxsize=64)  # a failing function fails in most samples, and finding its end takes 1 ms
def _source(code: CodeType) -> str:
    # not inspect.getsource: it searches all modules, which takes 5 ms with torch
    linecache.checkcache(code.co_filename)  # a file may have been edited and loaded again
    lines = linecache.getlines(code.co_filename)  # empty for code from a prompt or exec
    try:
        source = textwrap.dedent("".join(inspect.getblock(lines[code.co_firstlineno - 1 :])))
    except (SyntaxError, tokenize.TokenError):
        return ""
    return source if len(source) <= SOURCE_AT_MOST else ""


def _message(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:500]
    except Exception:  # the __str__ of an exception that the work defines may raise
        return "(its message cannot be shown)"


def _on_ctx(local: Mapping[str, object]) -> list[str]:
    """Return the attributes of a local ctx that are tuples starting with a tensor."""
    return [
        f"{name}.{attribute}"
        for name, ctx in local.items()
        if hasattr(type(ctx), "saved_tensors")
        for attribute, value in getattr(ctx, "__dict__", {}).items()  # the engine's nodes have none
        if type(value) is tuple and _of_tensors(value[:1])
    ]


def _of_tensors(value: object) -> bool:
    # inspects the type: reading an attribute of an instance could run student code
    return (
        type(value) is tuple and bool(value) and all(hasattr(type(item), "requires_grad") for item in value)
    )


def _is_tensor(value: Any) -> bool:
    return type(value).__name__ == "Tensor" and type(value).__module__ == "torch"


@contextmanager
def student_errors(answer: Any, during: str) -> Iterator[None]:
    """Store an exception of the block in `answer["error"]`, unless an earlier one, the cause, is there.

    Only KeyboardInterrupt, Stopped (the time limit) and Unavailable pass through.
    """
    try:
        yield
    except (KeyboardInterrupt, Stopped, Unavailable):
        raise
    except BaseException as error:  # sys.exit() in student code must not end a notebook or a grading run
        answer.setdefault("error", describe_error(error, during))


def tell(error: StudentError, before: str = "") -> str:
    """Return the error as one sentence that begins with `before`, except for a stub."""
    if error["type"] == "WrongReturn":
        return f"{before}{error['message']}"
    if _is_stub(error):
        name = error["during"].split(",")[0]
        missing = Message.MISSING_METHOD.find(error["message"])
        return f"{NOT_STARTED}{name} {'is missing' if missing else 'still raises NotImplementedError'}."
    where = f" ({error['line']})" if error["line"] else ""
    message = error["message"] if "raise" in error["line"] else first_sentence(error["message"])
    return f"{before}{error['during']} raised {error['type']}{where}: {message}".rstrip(": ")


def first_sentence(message: str) -> str:
    """Return the first sentence of a library's message, without its advice."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z(])|\n", message, maxsplit=1)[0]


def brief(error: BaseException) -> str:
    """Return an exception in student code as `ValueError (line 3: x[9]): message`."""
    plain = describe_error(error, "")
    line = f"line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else plain["line"]
    where = f" ({line})" if line else ""
    return f"{plain['type']}{where}: {plain['message']}".rstrip(": ")


def _is_stub(error: StudentError) -> bool:
    """Return whether the code that raised the error is still a stub.

    PyTorch's kernels raise NotImplementedError too, but always with a message. For code from a prompt the
    source of the line is unknown.
    """
    message = error["message"]
    stub = not message or Message.MISSING_METHOD.find(message) or "raise" in error["line"]
    return error["type"] == "NotImplementedError" and bool(stub)
