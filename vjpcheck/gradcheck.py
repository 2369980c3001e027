"""Runs gradcheck and gradgradcheck, of PyTorch or of the course's engine, on a table of evaluations.

The evaluations that gradcheck needs depend only on the point. So gradcheck first runs on a constant function
with zero gradients, which records each question. The probe answers all questions in one round trip, and
gradcheck runs a second time on the answers. Thus gradcheck never runs the student's code.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vjpcheck.arguments import Argument, Library, differentiable
from vjpcheck.ask import requests
from vjpcheck.ask.protocol import Request
from vjpcheck.errors import StudentError, tell
from vjpcheck.truth.exact_key import ExactKey

if TYPE_CHECKING:
    from vjpcheck.case import Case, Sample

Arrays = Sequence[np.ndarray | None]


class Refusal(NamedTuple):
    """The message of a failed gradcheck in one line, and whether the work itself raised it."""

    message: str
    raised: bool


class Check(NamedTuple):
    """A check of a library: `gradcheck` or `gradgradcheck`.

    PyTorch's check goes along random directions (`fast`) or entry by entry. The engine's check goes along one
    line through all inputs.
    """

    library: Library
    name: str
    fast: bool
    cotangents: Arrays = ()

    def run(self, table: TabulatedFunction) -> None:
        """Check a function; raises the errors of the library."""
        if self.library == "torch":
            _torch_check(self, table)
        else:
            import_module(f"{self.library}.gradcheck").run(self, table)


class TabulatedFunction:
    """A function of the arguments that can require grad, the others held fixed.

    Subclasses answer its questions in `_answer`. `outputs` are the true outputs, and `flows` says which of
    them have a gradient.
    """

    def __init__(
        self, arguments: Sequence[Argument], outputs: Sequence[np.ndarray], flows: Sequence[bool]
    ) -> None:
        self.arguments, self.outputs, self.flows = arguments, outputs, flows
        self.positions = [p for p, argument in enumerate(arguments) if differentiable(argument)]

    def forward(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the outputs that have a gradient."""
        answer = self._answer(requests.forward(self._filled(inputs)))
        outputs = self.outputs if answer is None else answer["outputs"]
        return [output for output, flow in zip(outputs, self.flows, strict=False) if flow]

    def vjp(self, inputs: Sequence[np.ndarray], needed: Sequence[bool], cotangents: Arrays) -> list[Any]:
        """Return the gradient for each input, None where it is zero."""
        answer = self._answer(
            requests.gradients_alone(self._filled(inputs), self._flags(needed), self._spread(cotangents))
        )
        return [None if answer is None else answer["gradients"][p] for p in self.positions]

    def second_vjp(
        self, inputs: Sequence[np.ndarray], needed: Sequence[bool], cotangents: Arrays, seconds: Arrays
    ) -> list[Any]:
        """Return the gradient of <vjp, seconds> for each input and each cotangent, None where it is zero."""
        directions: list[Argument] = [None] * len(self.arguments)
        for position, second in zip(self.positions, seconds, strict=True):
            directions[position] = second
        filled, flags, spread = self._filled(inputs), self._flags(needed), self._spread(cotangents)
        answer = self._answer(requests.higher_vjp(filled, flags, spread, [directions]))
        if answer is None:
            return [None] * (len(inputs) + len(cotangents))
        for_cotangents = [a for a, flow in zip(answer["for_cotangents"], self.flows, strict=True) if flow]
        return [*(answer["for_arguments"][p] for p in self.positions), *for_cotangents]

    def _answer(self, request: Request[Any]) -> Any:
        """Return the answer; None stands for that of a constant function."""
        raise NotImplementedError

    def _filled(self, inputs: Sequence[np.ndarray]) -> list[Argument]:
        filled = list(self.arguments)
        for position, value in zip(self.positions, inputs, strict=True):
            filled[position] = value
        return filled

    def _flags(self, needed: Sequence[bool]) -> list[bool]:
        flags = dict(zip(self.positions, needed, strict=True))
        return [flags.get(position, False) for position in range(len(self.arguments))]

    def _spread(self, cotangents: Arrays) -> list[np.ndarray | None]:
        remaining = iter(cotangents)
        return [next(remaining) if flow else None for flow in self.flows]


class _Constant(TabulatedFunction):
    """A constant function that records its questions."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.questions: dict[ExactKey, Request[Any]] = {}

    def _answer(self, request: Request[Any]) -> None:
        self.questions[ExactKey(request.method, request.arguments)] = request


@functools.lru_cache(maxsize=256)
def _questions(key: ExactKey) -> dict[ExactKey, Request[Any]]:
    """Return the questions of a check about a function with these arguments, outputs and flows."""
    *about, check = key.values
    constant = _Constant(*about)
    Check(*check).run(constant)
    return constant.questions


class Table(TabulatedFunction):
    """A student's function; `questions` are those of the check."""

    def __init__(
        self,
        ask: Callable[[Request[Any]], Any],
        arguments: Sequence[Argument],
        outputs: Sequence[np.ndarray],
        flows: Sequence[bool],
        check: Check,
    ) -> None:
        super().__init__(arguments, outputs, flows)
        self._ask = ask
        self._check = check
        self._questions = _questions(ExactKey(arguments, outputs, flows, check))
        self._answers: dict[ExactKey, Any] = {}
        self.questions = [*self._questions.values()]

    def refusal(self, answers: Sequence[Any]) -> Refusal | None:
        """Return the failure of the check, if any, from the answers to all questions in order."""
        self._answers = dict(zip(self._questions, answers, strict=True))
        try:
            self._check.run(self)
        except Exception as error:  # of gradcheck itself, or of the work
            raised = isinstance(error, _Raised) or not type(error).__name__.endswith("GradcheckError")
            return Refusal(" ".join(str(error).split())[:300], raised)
        return None

    def _answer(self, request: Request[Any]) -> Any:
        key = ExactKey(request.method, request.arguments)
        if key not in self._answers:  # a gradcheck with other questions in the second run; none is known
            self._answers[key] = self._ask(request)
        error: StudentError | None = self._answers[key].get("error")
        if error is not None:
            raise _Raised(tell(error))
        return self._answers[key]


class _Raised(RuntimeError):  # noqa: N818 - the student's error, and not ours
    """The student's own error in one sentence."""


def first_order(case: Case, sample: Sample, fast: bool) -> Table:
    """Return the table for gradcheck, along random directions (`fast`) or entry by entry."""
    return _table(case, sample, Check(case.spec.library, "gradcheck", fast))


def second_order(case: Case, sample: Sample, cotangents: Arrays, fast: bool) -> Table:
    """Return the table for gradgradcheck, along random directions (`fast`) or entry by entry."""
    return _table(case, sample, Check(case.spec.library, "gradgradcheck", fast, cotangents))


def _table(case: Case, sample: Sample, check: Check) -> Table:
    return Table(case.ask_one, sample.arguments, sample.truth.outputs, sample.truth.flows, check)


def _torch_check(check: Check, table: TabulatedFunction) -> None:
    import torch

    inputs = tuple(torch.tensor(table.arguments[p], requires_grad=True) for p in table.positions)
    seeds = [torch.tensor(c, requires_grad=True) for c in check.cotangents if c is not None]
    from vjpcheck.probe.torch_tensors import fresh

    function = function_over(torch.autograd.Function, fresh)
    run = getattr(torch.autograd, check.name)
    run(functools.partial(function.apply, table), inputs, *([seeds] if seeds else []), fast_mode=check.fast)


@functools.cache
def function_over(base: Any, tensor: Callable[[Any], Any]) -> Any:
    """Return a Function of this library that gets its results from the table, the first argument of apply."""

    def array(value: Any) -> np.ndarray:
        return np.array(np.asarray(value.detach().data))  # a copy; np.array alone warns about torch

    def filled(values: Sequence[Any], like: Sequence[Any]) -> tuple[Any, ...]:
        pairs = zip(values, like, strict=True)
        return tuple(tensor(np.zeros(tuple(t.shape)) if v is None else v) for v, t in pairs)

    class Backward(base):
        @staticmethod
        def forward(ctx: Any, table: TabulatedFunction, needed: Sequence[bool], *tensors: Any) -> Any:
            ctx.table, ctx.needed = table, needed
            ctx.save_for_backward(*tensors)
            inputs = tensors[: len(needed)]
            arrays = [array(t) for t in tensors]
            return filled(table.vjp(arrays[: len(needed)], needed, arrays[len(needed) :]), inputs)

        @staticmethod
        def backward(ctx: Any, *seconds: Any) -> Any:
            tensors, count = ctx.saved_tensors, len(ctx.needed)
            arrays = [array(t) for t in tensors]
            along = [array(second) for second in seconds]
            gradients = ctx.table.second_vjp(arrays[:count], ctx.needed, arrays[count:], along)
            return (None, None, *filled(gradients, tensors))

    class Forward(base):
        @staticmethod
        def forward(ctx: Any, table: TabulatedFunction, *tensors: Any) -> Any:
            ctx.table = table
            ctx.save_for_backward(*tensors)
            outputs = [tensor(output) for output in table.forward([array(t) for t in tensors])]
            return tuple(outputs) if len(outputs) > 1 else outputs[0]

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> Any:
            needed = ctx.needs_input_grad[1:]
            return (None, *Backward.apply(ctx.table, needed, *ctx.saved_tensors, *cotangents))

    return Forward
