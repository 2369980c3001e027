"""Puts the arguments of a Function in another order, in all fields that depend on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vjpcheck.domain import Domain
from vjpcheck.spec import PullbackOf


def in_order(fields: Mapping[str, Any], order: Sequence[str]) -> Mapping[str, Any]:
    """Return the fields with the arguments in this order; those that it does not name stay behind them."""
    domain: Domain = fields["domain"]
    usual = domain.names
    names = (*order, *(name for name in usual if name not in order))
    if names == usual:
        return fields

    def back(arguments: Iterable[Any]) -> tuple[Any, ...]:
        return _permuted(arguments, names, usual)

    def permuted(pullback: PullbackOf) -> PullbackOf:
        return lambda arguments, cotangents: _permuted(pullback(back(arguments), cotangents), usual, names)

    made = {
        **fields,
        "domain": replace(domain, arguments={name: domain.arguments[name] for name in names}),
        "forward": lambda *arguments: fields["forward"](*back(arguments)),
        "small": _permuted(fields["small"], usual, names),
        "lookalikes": [one._replace(pullback=permuted(one.pullback)) for one in fields.get("lookalikes", ())],
    }
    if "saves_at_most" in fields:
        made["saves_at_most"] = lambda arguments: fields["saves_at_most"](back(arguments))
    return made


def _permuted(values: Iterable[Any], names: Sequence[str], order: Sequence[str]) -> tuple[Any, ...]:
    """Return the values of these names in another order; an argument that is left out has none."""
    by_name = dict(zip(names, values, strict=False))
    return tuple(by_name[name] for name in order if name in by_name)
