"""What is asked of a Function's probe: a request for each of its methods, with the schema of the answer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.arguments import Argument
from autograder.function.answers import (
    Declared,
    Descent,
    Forward,
    HigherPullback,
    Inspection,
    Interleaved,
    Layout,
    Pullback,
    Returned,
    Signature,
    Supposition,
    Transformed,
    WithoutCotangent,
)
from autograder.protocol import Array, Each, ListOf, Nothing, Request, Schema, Whole, maybe, schema_of

Flags = Sequence[bool]


def forward(arguments: Sequence[Argument]) -> Request[Forward]:
    """Ask for the outputs."""
    places = ListOf(Whole(len(arguments)))
    return Request("forward", (arguments,), schema_of(Forward, changed=places))


def vjp(
    arguments: Sequence[Argument],
    requires: Flags,
    cotangents: Sequence[Argument],
    all_needed: bool = False,
    layout: Layout = "",
) -> Request[Pullback]:
    """Ask for the vector-Jacobian products; see `FunctionProbe.vjp`."""
    return Request(
        "vjp",
        (arguments, requires, cotangents, all_needed, layout),
        schema_of(
            Pullback,
            gradients=gradients(arguments, requires),
            returned=maybe(ListOf(schema_of(Returned))),
            inputs_changed=ListOf(Whole(len(arguments))),
        ),
    )


def vjps(
    arguments: Sequence[Argument], requires: Flags, cotangents: Sequence[Sequence[Argument]]
) -> Request[list[list[np.ndarray | None]]]:
    """Ask for the gradients for one choice of cotangents after the other."""
    return Request(
        "vjps",
        (arguments, requires, cotangents),
        ListOf(gradients(arguments, requires), len(cotangents)),
    )


def inspect(arguments: Sequence[Argument], cotangents: Sequence[Argument]) -> Request[Inspection]:
    """Ask what stands behind one call."""
    places = ListOf(Whole(len(arguments)))
    return Request(
        "inspect",
        (arguments, cotangents),
        schema_of(Inspection, saved_inputs=places, inputs_returned=places, same_objects=places),
    )


def intermediates(arguments: Sequence[Argument], nearby: Sequence[Argument]) -> Request[list[str]]:
    """Ask where a call keeps what is neither input nor output and changes with the inputs."""
    return Request("intermediates", (arguments, nearby), schema_of(list[str]))


def interleaved(
    arguments: Sequence[Argument], others: Sequence[Sequence[Argument]], cotangents: Sequence[Argument]
) -> Request[Interleaved]:
    """Ask for two backward passes over one graph, after later calls on other arguments."""
    return Request("interleaved", (arguments, others, cotangents), schema_of(Interleaved))


def higher_vjp(
    arguments: Sequence[Argument],
    requires: Flags,
    cotangents: Sequence[Argument],
    directions: Sequence[Sequence[Argument]],
    supposition: Supposition = "",
) -> Request[HigherPullback]:
    """Ask for a derivative of the vector-Jacobian product; see `FunctionProbe.higher_vjp`."""
    return Request(
        "higher_vjp",
        (arguments, requires, cotangents, directions, supposition),
        schema_of(
            HigherPullback,
            for_arguments=gradients(arguments, requires),
            for_cotangents=gradients(cotangents, [cotangent is not None for cotangent in cotangents]),
        ),
    )


def without_cotangent(arguments: Sequence[Argument]) -> Request[WithoutCotangent]:
    """Ask where a gradient arrives though no cotangent did."""
    return Request(
        "without_cotangent",
        (arguments,),
        schema_of(WithoutCotangent, arrives=ListOf(Whole(len(arguments)))),
    )


def descend(arguments: Sequence[Argument], position: int, target: np.ndarray, steps: int) -> Request[Descent]:
    """Ask where gradient descent through the Function takes one argument."""
    return Request("descend", (arguments, position, target, steps), schema_of(Descent))


def declared() -> Request[Declared]:
    """Ask which static methods the Function has of its own."""
    return Request("declared", (), schema_of(Declared))


def signature() -> Request[Signature]:
    """Ask for the parameters of forward."""
    return Request("signature", (), schema_of(Signature))


def transform(name: str, point: Sequence[np.ndarray]) -> Request[Transformed]:
    """Ask what a transform of torch.func makes of the first output."""
    return Request("transform", (name, point), schema_of(Transformed))


def hidden_autograd() -> Request[str]:
    """Ask in words why a gradient may come from native autograd, out of sight."""
    return Request("hidden_autograd", (), schema_of(str))


def gradients(arguments: Sequence[Argument], requires: Flags) -> Schema:
    """Return the schema of a gradient for each argument: the engine lets no other shape or dtype through."""
    return Each(
        [
            maybe(Array(argument.shape, argument.dtype))
            if flag and isinstance(argument, np.ndarray)
            else Nothing()
            for argument, flag in zip(arguments, requires, strict=True)
        ]
    )
