"""Runs the command line: `vjpcheck FILE:NAME --inputs INPUTS`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vjpcheck.broken_pipe import discard_output
from vjpcheck.probes import Subject
from vjpcheck.render.terminal import FORMATS, print_error, print_result
from vjpcheck.result import CannotRun, Result
from vjpcheck.worker import SubprocessProbe

if TYPE_CHECKING:
    from vjpcheck.arguments import Arguments

RIGHT, WRONG, NOT_RUN = 0, 1, 2


class Place(NamedTuple):
    """A file or a module, and a dotted name in it."""

    path: Path
    name: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the work that the arguments name, print the result, and return the exit status."""
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
        "function",
        metavar="FILE:NAME",
        type=_place,
        help="the Function, module, custom operator or function, such as my_ops.py:MyFunction or "
        "package.module:Outer.Inner",
    )
    parser.add_argument(
        "--inputs",
        metavar="INPUTS",
        required=True,
        help='its arguments, such as "randn(3, 4), None"; random numbers are the same in every run. Or '
        "FILE:NAME of a function that returns them, such as my_inputs.py:inputs",
    )
    parser.add_argument(
        "--like",
        metavar="FILE:NAME",
        type=_place,
        help="a function in PyTorch operations that computes the same; autograd through it gives the truth, "
        "which is otherwise measured by central differences",
    )
    parser.add_argument("--dtype", default="float64", help="of the tensors of floats: float64 by default")
    parser.add_argument("--device", default="cpu", help="of the tensors: cpu by default")
    parser.add_argument("--seed", type=int, help="seeds PyTorch's generators before each call of forward")
    parser.add_argument("--rtol", type=float, help="relative to the largest entry of a gradient")
    parser.add_argument("--atol", type=float, help="the absolute tolerance")
    parser.add_argument(
        "--allow", metavar="ID", action="append", default=[], help="the id of a mistake that is accepted"
    )
    parser.add_argument(
        "--under", choices=["compile", "vmap"], action="append", default=[], help="call it through this, too"
    )
    parser.add_argument("--strict", action="store_true", help="count warnings as errors")
    how = parser.add_mutually_exclusive_group()
    for name, (text, _) in FORMATS.items():
        how.add_argument(f"--{name}", dest="how", action="store_const", const=name, help=text)
    return parser


def _place(text: str) -> Place:
    path, colon, name = text.rpartition(":")
    if not (path and colon and all(part.isidentifier() for part in name.split("."))):
        raise argparse.ArgumentTypeError(f"{text!r} is not FILE:NAME, such as my_ops.py:MyFunction")
    return Place(Path(path), name)


def _run(options: argparse.Namespace) -> int:
    place: Place = options.function
    where, nothing = f"{place.path}:{place.name}", Result(place.name, {}, (), 0.0)
    try:
        result = _judged(place, options)
    except CannotRun as refusal:
        print_error(nothing, where, str(refusal), options.how)
        return NOT_RUN
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # an honest probe never makes the verdict raise
        message = f"Its answers to vjpcheck are invalid ({type(error).__name__}: {error})."
        print_error(nothing, where, message, options.how)
        return NOT_RUN
    print_result(result, where, options.how)
    return RIGHT if result.passed else WRONG


def _judged(place: Place, options: argparse.Namespace) -> Result:
    # these import torch
    from vjpcheck.diagnosis.expression import received
    from vjpcheck.diagnosis.judge import judged
    from vjpcheck.diagnosis.options import Options
    from vjpcheck.diagnosis.probe import Probe
    from vjpcheck.diagnosis.reference import REFERENCE, RemoteTruth
    from vjpcheck.diagnosis.work import subject_of

    names = ("dtype", "device", "seed", "rtol", "atol", "strict")
    sets: dict[str, Any] = {"allow": frozenset(options.allow), "under": tuple(options.under)}
    chosen = Options(**sets, **{name: getattr(options, name) for name in names})
    chosen = replace(chosen, dtype=re.sub(r"^torch\.", "", chosen.dtype))
    with ExitStack() as stack:
        opened: list[SubprocessProbe] = []

        def opened_with_inputs(subject: Subject, path: Path) -> tuple[SubprocessProbe, Arguments]:
            probe = stack.enter_context(SubprocessProbe(subject, path))
            return probe, received(probe.call(Probe.inputs, options.inputs))

        first, arguments = opened_with_inputs(subject_of(place.name, (), chosen), place.path)

        def open_probe(subject: Subject) -> SubprocessProbe:
            own = first if not opened else opened_with_inputs(subject, place.path)[0]
            opened.append(own)
            return own

        reference, like = None, options.like
        if like is not None:
            subject = Subject(like.name, REFERENCE, world=chosen.world(exact=True))
            reference = partial(RemoteTruth, opened_with_inputs(subject, like.path)[0])
        result = judged(place.name, arguments, open_probe, reference, chosen)
        return replace(result, printed=opened[-1].printed())
