"""Builds the requests to a Function's probe whose schemas are stricter than the type of the answer."""

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
    return Request(
        "forward",
        (arguments, layout),
        schema_of(answers.Forward, changed=places, moved=places, shared=places),
    )


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
    """Ask for the vector-Jacobian products without further facts about the call."""
    return Request(
        "gradients", (arguments, requires, cotangents, same), _gradients_alone(_likes(arguments, requires))
    )


def inspect(arguments: Inputs, cotangents: Inputs) -> Request[answers.Inspection]:
    """Ask what one call keeps, captures and calls."""
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
    """Ask which arguments receive a gradient although no output has a cotangent."""
    places = ListOf(Whole(len(arguments)))
    return Request(
        "without_cotangent",
        (arguments,),
        schema_of(answers.WithoutCotangent, arrives=places, zeros=places, not_finite=places),
    )


def tangents(arguments: Inputs, directions: Sequence[np.ndarray | None]) -> Request[answers.Tangents]:
    """Ask for the tangents of all outputs; each direction is the tangent of an argument, or None."""
    written = ListOf(Whole(len(arguments)))
    return Request("tangents", (arguments, directions), schema_of(answers.Tangents, written=written))


def never_ran() -> Request[answers.NeverRan]:
    """Ask which lines no earlier request has reached; every probe from `vjpcheck.probes` can answer."""
    return Request("never_ran", (), schema_of(answers.NeverRan))


def gradients(arguments: Inputs, requires: Flags) -> Schema:
    """Return the schema of one gradient per argument; the engine permits no other shape or dtype."""
    return _gradients(_likes(arguments, requires))


# The functions below are cached: a schema keeps its size, and most requests need the same few schemas.
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
