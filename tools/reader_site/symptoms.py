"""What a mistake looks like: each example is run, and PyTorch and the autograder are quoted."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch.autograd import Function, gradcheck, gradgradcheck

from autograder.check import judge, local_probe
from autograder.exercise import FunctionExercise
from autograder.exercises import find
from reader_site.mistakes import Example
from vjpcheck.arguments import differentiable
from vjpcheck.capture import captured_output
from vjpcheck.probe.torch_tensors import as_tensors
from vjpcheck.result import Result
from vjpcheck.samples import drawn
from vjpcheck.source_file import load

SEED = 0
Called = Callable[
    ..., Any
]  # a Function's apply as a function of its tensors; its other arguments are created for each call


@dataclass(frozen=True)
class Message:
    """What PyTorch says, and when: `when` names the trial, `text` is the first line of the message."""

    when: str
    error: str
    text: str


def _outputs(outputs: Any) -> list[torch.Tensor]:
    several = outputs if isinstance(outputs, tuple) else (outputs,)
    return [y for y in several if y.dtype.is_floating_point or y.dtype.is_complex]


def _back(outputs: Sequence[torch.Tensor], again: bool = False) -> None:
    steps = torch.Generator().manual_seed(SEED)
    cotangents = [torch.randn(y.shape, generator=steps, dtype=y.dtype) for y in outputs]
    torch.autograd.backward(outputs, cotangents, retain_graph=again)


def _backward(called: Called, tensors: list[torch.Tensor]) -> None:
    _back(_outputs(called(*tensors)))


def _backward_from_one_output(called: Called, tensors: list[torch.Tensor]) -> None:
    for place in range(len(_outputs(called(*tensors)))):
        _back([_outputs(called(*tensors))[place]])


def _backward_twice(called: Called, tensors: list[torch.Tensor]) -> None:
    outputs = _outputs(called(*tensors))
    _back(outputs, again=True)
    _back(outputs)


def _two_calls(called: Called, tensors: list[torch.Tensor]) -> None:
    smaller = [tensor[:-1].detach().requires_grad_() for tensor in tensors]
    first = _outputs(called(*tensors))
    called(*smaller)
    _back(first)


def _gradcheck(called: Called, tensors: list[torch.Tensor]) -> None:
    gradcheck(called, tensors)


def _gradgradcheck(called: Called, tensors: list[torch.Tensor]) -> None:
    gradgradcheck(called, tensors)


def _func_grad(called: Called, tensors: list[torch.Tensor]) -> None:
    torch.func.grad(lambda *given: called(*given).sum())(*(t.detach() for t in tensors))


def _func_jvp(called: Called, tensors: list[torch.Tensor]) -> None:
    plain = tuple(t.detach() for t in tensors)
    torch.func.jvp(called, plain, plain)


def _vmap(called: Called, tensors: list[torch.Tensor]) -> None:
    torch.vmap(called)(*(t.detach() for t in tensors))


TRIALS = {
    "when it is called and differentiated": _backward,
    "when a loss uses only one output": _backward_from_one_output,
    "when a backward pass runs a second time over the same graph": _backward_twice,
    "when another call comes before the backward pass": _two_calls,
    "in `torch.autograd.gradcheck`": _gradcheck,
    "in `torch.autograd.gradgradcheck`": _gradgradcheck,
}
TRANSFORMS = {
    "under `torch.func.grad`": _func_grad,
    "under `torch.vmap`": _vmap,
    "under `torch.func.jvp`": _func_jvp,
}
LESSON_ON_TRANSFORMS = 11


def pytorch_says(example: Example) -> Message | None:
    """Return the first message of the example that its corrected form does not give, or None."""
    exercise = find(example.exercise) if example.exercise else None
    asked = exercise is not None and exercise.lesson == LESSON_ON_TRANSFORMS
    with _work(example.wrong, example.exercise) as wrong, _work(example.right, example.exercise) as right:
        if not _is_function(wrong):
            return None
        for when, trial in {**TRIALS, **(TRANSFORMS if asked else {})}.items():
            said, said_of_the_right = (_message(when, trial, work, exercise) for work in (wrong, right))
            if said is not None and said != said_of_the_right:
                return said
    return None


def gradcheck_passes(example: Example) -> bool:
    """Return whether `torch.autograd.gradcheck` returns True on the example."""
    exercise = find(example.exercise) if example.exercise else None
    with _work(example.wrong, example.exercise) as work:
        return _is_function(work) and _message("", _gradcheck, work, exercise) is None


def autograder_says(source: str, exercise_id: str) -> Result:
    """Return the autograder's result on a piece of source."""
    exercise = find(exercise_id)
    with _work(source, exercise_id) as work, captured_output():
        return judge(exercise, local_probe(exercise, work), SEED)


def _is_function(work: Any) -> bool:
    return isinstance(work, type) and issubclass(work, Function)


@contextmanager
def _work(source: str, exercise_id: str | None) -> Iterator[Any]:
    """Run the source as a file, which stays while its lines may be quoted; yields what it hands in."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "work.py"
        path.write_text(source, encoding="utf-8")
        name = (
            find(exercise_id).object_name if exercise_id else source.partition("class ")[2].partition("(")[0]
        )
        yield load(path, name)


def _message(when: str, trial: Callable[..., None], work: Any, exercise: Any) -> Message | None:
    called, tensors = _called(work, exercise)
    try:
        with captured_output(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trial(called, tensors)
    except Exception as error:  # whatever it is, it is what is quoted
        return Message(when, type(error).__name__, str(error).partition("\n")[0].rstrip(" ,"))
    return None


def _called(work: Any, exercise: FunctionExercise | None) -> tuple[Called, list[torch.Tensor]]:
    """Return apply as a function of tensors alone, and tensors for it: the exercise's first sample."""
    if exercise is None:
        z = torch.tensor([1.0 + 2.0j, 3.0 - 1.0j], dtype=torch.complex128, requires_grad=True)
        return work.apply, [z]
    arguments = drawn(exercise, np.random.default_rng(SEED)).samples[0]
    places = [place for place, argument in enumerate(arguments) if differentiable(argument)]

    def called(*tensors: torch.Tensor) -> Any:
        given = as_tensors(arguments, [False] * len(arguments))  # a new generator for each call
        for place, tensor in zip(places, tensors, strict=True):
            given[place] = tensor.view_as(tensor) if exercise.modifies == () else tensor.clone()
        return work.apply(*given)

    requires = [place in places for place in range(len(arguments))]
    tensors = as_tensors(arguments, requires)
    return called, [tensors[place] for place in places]
