"""The galleries of wrong backwards: runs each file of `site/gallery/` and `site/wild/`."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch.autograd import Function, gradcheck, gradgradcheck

from reader_site import ROOT, SITE
from vjpcheck import diagnose
from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.render.display import ShownResult
from vjpcheck.result import Result

FILES = sorted((SITE / "gallery").glob("*.py"))
WILD = sorted((SITE / "wild").glob("*.py"))  # each has a SOURCE and a class Repaired besides


@dataclass(frozen=True)
class Answer:
    """What one call returns, or the type of the error that it raises and the message."""

    returned: Any = None
    error: str = ""
    message: str = ""


@dataclass(frozen=True)
class InUse:
    """The gradient of one computation with the wrong Function, and with PyTorch's own operations."""

    what: str
    code: str
    wrong: Answer
    right: Answer


@dataclass(frozen=True)
class Repair:
    """A corrected backward: its code, and what was said of it when it was run."""

    code: str
    gradcheck: Answer
    gradgradcheck: Answer
    used: Answer  # the answer of the computation `in_use`
    card: Result


@dataclass(frozen=True)
class Wrong:
    """A wrong backward and all that was said of it when it was run.

    `mistake` is '' where the table of mistakes has no name for it. `source` is the address of a public line
    with the same fault, '' for none.
    """

    anchor: str
    title: str
    about: str  # Markdown
    mistake: str  # that its file claims
    function: str  # the name of its class
    code: str
    command: str
    backward: Answer
    gradcheck: Answer
    gradgradcheck: Answer
    in_use: InUse
    card: Result
    source: str = ""
    repair: Repair | None = None

    @property
    def passes_gradcheck(self) -> bool:
        """Return whether gradcheck returns True."""
        return not self.gradcheck.error


def every(files: Iterable[Path] = FILES) -> list[Wrong]:
    """Run every file of a gallery, in order."""
    return [run(path) for path in files]


def anchor(path: Path) -> str:
    """Return the anchor of a file's entry, which does not change with the order of the entries."""
    return re.sub(r"^\d+_", "", path.stem).replace("_", "-")


def run(path: Path) -> Wrong:
    """Run a file of the gallery; raises StopIteration if there is no Function in it."""
    module = _imported(path)
    function = next(v for v in vars(module).values() if _is_function(v))
    title, _, about = inspect.cleandoc(module.__doc__ or "").partition("\n\n")
    inputs = evaluate(module.INPUTS)
    file = path.relative_to(ROOT).as_posix()
    return Wrong(
        anchor=anchor(path),
        title=title,
        about=about,
        mistake=module.MISTAKE,
        function=function.__name__,
        code=inspect.getsource(function).rstrip(),
        command=f"vjpcheck {file}:{function.__name__} \\\n"
        f'  --inputs "{module.INPUTS}" \\\n  --like {file}:reference',
        backward=_answer(lambda: _back(function, _tracked(inputs))),
        gradcheck=_answer(lambda: gradcheck(function.apply, _tracked(inputs))),
        gradgradcheck=_answer(lambda: gradgradcheck(function.apply, _tracked(inputs))),
        in_use=_in_use(module, function),
        card=_card(function, inputs, module.reference),
        source=getattr(module, "SOURCE", ""),
        repair=_repair(module, inputs),
    )


def _repair(module: ModuleType, inputs: list[Any]) -> Repair | None:
    function = getattr(module, "Repaired", None)
    if function is None:
        return None
    return Repair(
        code=inspect.getsource(function).rstrip(),
        gradcheck=_answer(lambda: gradcheck(function.apply, _tracked(inputs))),
        gradgradcheck=_answer(lambda: gradgradcheck(function.apply, _tracked(inputs))),
        used=_answer(lambda: module.in_use(function.apply)),
        card=_card(function, inputs, module.reference),
    )


def _imported(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"gallery_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)  # inspect looks for its source there
    spec.loader.exec_module(module)
    return module


def _is_function(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Function) and value is not Function


def _tracked(inputs: list[Any]) -> list[Any]:
    """Return the inputs as gradcheck wants them: tensors of floats in float64, and requiring grad."""
    return [x.double().requires_grad_() if _is_float(x) else x for x in inputs]


def _is_float(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and x.is_floating_point()


def _back(function: type[Function], inputs: list[Any]) -> None:
    y = function.apply(*inputs)
    y.backward(torch.ones_like(y))


def _answer(call: Callable[[], Any]) -> Answer:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Answer(call())
    except Exception as error:  # whatever it is, it is what is quoted
        return Answer(None, type(error).__name__, str(error).strip())


def _in_use(module: ModuleType, function: type[Function]) -> InUse:
    what = inspect.getdoc(module.in_use) or ""
    body = textwrap.dedent(inspect.getsource(module.in_use).partition('"""\n')[2]).rstrip()
    before, _, last = body.rpartition("return ")
    wrong, right = (_answer(partial(module.in_use, f)) for f in (function.apply, module.reference))
    return InUse(what, before + last, wrong, right)


def _card(function: type[Function], inputs: list[Any], reference: Callable[..., Any]) -> Result:
    result = diagnose(function, *inputs, like=reference)
    assert isinstance(result, ShownResult), result
    return result
