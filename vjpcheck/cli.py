"""Runs the command line: `vjpcheck FILE:NAME --inputs INPUTS`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from vjpcheck.broken_pipe import discard_output
from vjpcheck.probes import Subject
from vjpcheck.render.terminal import print_error, print_result
from vjpcheck.result import CannotRun, Result
from vjpcheck.worker import SubprocessProbe

RIGHT, WRONG, NOT_RUN = 0, 1, 2


class Place(NamedTuple):
    """A file and a name in it."""

    path: Path
    name: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the Function that the arguments name, print the result, and return the exit status."""
    try:
        status = _run(_parser().parse_args(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output(sys.stdout)
        return NOT_RUN
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="vjpcheck",
        description="Checks the backward of a torch.autograd.Function and names the mistake in it.",
        epilog="Exit status: 0 right, 1 something is wrong, 2 it could not be run or judged.",
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
    return parser


def _place(text: str) -> Place:
    path, colon, name = text.rpartition(":")
    if not (path and colon and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{text!r} is not FILE:NAME, such as my_ops.py:MyFunction")
    return Place(Path(path), name)


def _run(options: argparse.Namespace) -> int:
    place: Place = options.function
    where, nothing = f"{place.path}:{place.name}", Result(place.name, {}, (), 0.0)
    try:
        result = _judged(place, options.inputs, options.like)
    except CannotRun as refusal:
        print_error(nothing, where, str(refusal), options.json)
        return NOT_RUN
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # an honest probe never makes the verdict raise
        message = f"Its answers to vjpcheck are invalid ({type(error).__name__}: {error})."
        print_error(nothing, where, message, options.json)
        return NOT_RUN
    print_result(result, where, options.json)
    return RIGHT if result.passed else WRONG


def _judged(place: Place, inputs: str, like: Place | None) -> Result:
    # these import torch
    from vjpcheck.diagnosis.expression import evaluate
    from vjpcheck.diagnosis.inputs import as_arguments
    from vjpcheck.diagnosis.judge import judged
    from vjpcheck.diagnosis.reference import REFERENCE, RemoteTruth

    arguments = as_arguments(evaluate(inputs))
    with ExitStack() as stack:
        opened: list[SubprocessProbe] = []

        def open_probe(subject: Subject) -> SubprocessProbe:
            opened.append(stack.enter_context(SubprocessProbe(subject, place.path)))
            return opened[-1]

        reference = None
        if like is not None:
            subject = Subject(like.name, REFERENCE)
            reference = partial(RemoteTruth, stack.enter_context(SubprocessProbe(subject, like.path)))
        result = judged(place.name, arguments, open_probe, reference)
        return replace(result, printed=opened[-1].printed())
