"""`autograder diagnose FILE:NAME --inputs EXPRESSIONS`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from autograder.exercise import Subject
from autograder.render.terminal import print_error, print_result
from autograder.result import CannotRun, Result

if TYPE_CHECKING:
    from autograder.worker import SubprocessProbe

RIGHT, WRONG, NOT_RUN = 0, 1, 2


class Place(NamedTuple):
    """A file and a name in it."""

    path: Path
    name: str


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "diagnose",
        help="check a Function of your own",
        description="Exit status: 0 right, 1 something is wrong, 2 it could not be run or judged.",
    )
    parser.add_argument(
        "function", metavar="FILE:NAME", type=_place, help="the Function, such as my_ops.py:MyFunction"
    )
    parser.add_argument(
        "--inputs",
        metavar="INPUTS",
        required=True,
        help='the arguments of apply, such as "randn(3, 4), None"; random numbers are the same in every run',
    )
    parser.add_argument(
        "--like",
        metavar="FILE:NAME",
        type=_place,
        help="a function in PyTorch operations that computes the same; autograd through it gives the truth, "
        "which is otherwise measured by central differences",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _place(given: str) -> Place:
    path, colon, name = given.rpartition(":")
    if not (path and colon and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{given!r} is not FILE:NAME, such as my_ops.py:MyFunction")
    return Place(Path(path), name)


def run(options: argparse.Namespace, start: Callable[[Subject, Path], SubprocessProbe]) -> int:
    """Judge the Function, print the card, and return the exit status.

    `start` opens the probe of a name in a file, in a process of its own.
    """
    place: Place = options.function
    where, nothing = f"{place.path}:{place.name}", Result(place.name, {}, (), 0.0)
    try:
        result = _judged(place, options.inputs, options.like, start)
    except CannotRun as refusal:
        print_error(nothing, where, str(refusal), options.json)
        return NOT_RUN
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # an honest probe never makes the verdict raise
        told = f"Its answers to the autograder are invalid ({type(error).__name__}: {error})."
        print_error(nothing, where, told, options.json)
        return NOT_RUN
    print_result(result, where, options.json)
    return RIGHT if result.passed else WRONG


def _judged(
    place: Place, inputs: str, like: Place | None, start: Callable[[Subject, Path], SubprocessProbe]
) -> Result:
    # with torch
    from autograder.diagnose.expression import evaluate
    from autograder.diagnose.inputs import as_arguments
    from autograder.diagnose.judge import judged
    from autograder.diagnose.reference import REFERENCE, RemoteTruth

    arguments = as_arguments(evaluate(inputs))
    with ExitStack() as stack:
        opened: list[SubprocessProbe] = []

        def open_probe(subject: Subject) -> SubprocessProbe:
            opened.append(stack.enter_context(start(subject, place.path)))
            return opened[-1]

        reference = None
        if like is not None:
            subject = Subject(like.name, REFERENCE, like.name)
            reference = partial(RemoteTruth, stack.enter_context(start(subject, like.path)))
        result = judged(place.name, arguments, open_probe, reference)
        return replace(result, printed=opened[-1].printed())
