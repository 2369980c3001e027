"""What is asked of a Function's probe where the answer has a sharper schema than its type says."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from vjpcheck.arguments import Inputs
from vjpcheck.ask import answers
from vjpcheck.ask.protocol import Array, Each, ListOf, Nothing, Request, Schema, Whole, maybe, schema_of

Flags = Sequence[bool]


def forward(arguments: Inputs, layout: answers.Layout = "") -> Request[answers.Forward]:
    """Ask for the outputs."""
    places = ListOf(Whole(len(arguments)))
    return Request("forward", (arguments, layout), schema_of(answers.Forward, changed=places, moved=places))


def vjp(
    arguments: Inputs,
    requires: Flags,
    cotangents: Inputs,
    all_needed: bool = False,
    layout: answers.Layout = "",
) -> Request[answers.Pullback]:
    """Ask for the vector-Jacobian products; see `Probe.vjp`."""
    return Request(
        "vjp", (arguments, requires, cotangents, all_needed, layout), _pullback(_likes(arguments, requires))
    )


def gradients_alone(
    arguments: Inputs, requires: Flags, cotangents: Inputs, same: Sequence[int] = ()
) -> Request[answers.Gradients]:
    """Ask for the vector-Jacobian products, and for nothing of how they came about."""
    return Request(
        "gradients", (arguments, requires, cotangents, same), _gradients_alone(_likes(arguments, requires))
    )


def inspect(arguments: Inputs, cotangents: Inputs) -> Request[answers.Inspection]:
    """Ask what stands behind one call."""
    places = ListOf(Whole(len(arguments)))
    return Request(
        "inspect",
        (arguments, cotangents),
        schema_of(answers.Inspection, saved_inputs=places, inputs_returned=places, same_objects=places),
    )


def higher_vjp(
    arguments: Inputs,
    requires: Flags,
    cotangents: Inputs,
    directions: Sequence[Inputs],
    supposition: answers.Supposition = "",
) -> Request[answers.HigherPullback]:
    """Ask for a derivative of the vector-Jacobian product; see `Probe.higher_vjp`."""
    return Request(
        "higher_vjp",
        (arguments, requires, cotangents, directions, supposition),
        _higher_pullback(_likes(arguments, requires), _likes(cotangents, [True] * len(cotangents))),
    )


def without_cotangent(arguments: Inputs) -> Request[answers.WithoutCotangent]:
    """Ask where a gradient arrives though no cotangent did."""
    places = ListOf(Whole(len(arguments)))
    return Request(
        "without_cotangent", (arguments,), schema_of(answers.WithoutCotangent, arrives=places, zeros=places)
    )


def tangents(arguments: Inputs, directions: Sequence[np.ndarray | None]) -> Request[answers.Tangents]:
    """Ask for the tangents of all outputs; a direction is the tangent of an argument, or None."""
    written = ListOf(Whole(len(arguments)))
    return Request("tangents", (arguments, directions), schema_of(answers.Tangents, written=written))


def never_ran() -> Request[answers.NeverRan]:
    """Ask which lines no earlier request has reached; every probe that `vjpcheck.probes` opens can say it."""
    return Request("never_ran", (), schema_of(answers.NeverRan))


def gradients(arguments: Inputs, requires: Flags) -> Schema:
    """Return the schema of a gradient for each argument: the engine lets no other shape or dtype through."""
    return _gradients(_likes(arguments, requires))


# A schema keeps its size, and the same schemas are wanted again and again.
Likes = tuple[tuple[tuple[int, ...], np.dtype[Any]] | None, ...]


def _likes(arguments: Inputs, requires: Flags) -> Likes:
    return tuple(
        (argument.shape, argument.dtype) if flag and isinstance(argument, np.ndarray) else None
        for argument, flag in zip(arguments, requires, strict=True)
    )


@functools.lru_cache(maxsize=1000)
def _gradients(likes: Likes) -> Schema:
    return Each([Nothing() if like is None else maybe(Array(*like)) for like in likes])


@functools.lru_cache(maxsize=1000)
def _gradients_alone(likes: Likes) -> Schema:
    return schema_of(answers.Gradients, gradients=_gradients(likes))


@functools.lru_cache(maxsize=1000)
def _pullback(likes: Likes) -> Schema:
    return schema_of(
        answers.Pullback,
        gradients=_gradients(likes),
        returned=maybe(ListOf(schema_of(answers.Returned))),
        inputs_changed=ListOf(Whole(len(likes))),
    )


@functools.lru_cache(maxsize=1000)
def _higher_pullback(arguments: Likes, cotangents: Likes) -> Schema:
    return schema_of(
        answers.HigherPullback, for_arguments=_gradients(arguments), for_cotangents=_gradients(cotangents)
    )
