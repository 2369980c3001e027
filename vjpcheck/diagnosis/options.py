"""Defines the choices of who calls `diagnose`: dtype, device, seed, tolerances, domain, accepted findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch

from vjpcheck.domain import Domain
from vjpcheck.errors import brief
from vjpcheck.mistakes import MISTAKES
from vjpcheck.numbers import RELATIVE, SINGLE_PRECISION
from vjpcheck.result import CannotRun
from vjpcheck.truth.differences import ACCEPTED

# relative to the largest entry: ten to a hundred times the error of one operation in the dtype
TOLERANCES = {"float32": SINGLE_PRECISION, "float16": 1e-2, "bfloat16": 5e-2}
# transforms through which work may be called, by name
UNDER = ("compile", "vmap")
DTYPES = ("float64", *TOLERANCES)
# mistakes that leave all derivatives right
HARMLESS = frozenset(
    {
        "needless-work",
        "input-kept-on-ctx",
        "output-kept-on-ctx",
        "not-marked-non-differentiable",
        "materializes-gradients",
    }
)


@dataclass(frozen=True)
class Options:
    """The choices of a caller; raises CannotRun for one that there is not.

    `allow` has ids of mistakes that are accepted. With `strict`, warnings count as errors. `under` has
    names of `UNDER`. `objects` are constants of any type, by the names that stand for them in the arguments.
    """

    dtype: str = "float64"
    device: str = "cpu"
    seed: int | None = None
    rtol: float | None = None
    atol: float | None = None
    domain: Domain | None = None
    allow: frozenset[str] = frozenset()
    strict: bool = False
    under: tuple[str, ...] = ()
    objects: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise CannotRun(f"dtype is {self.dtype}; it may be {', '.join(DTYPES[:-1])} or {DTYPES[-1]}.")
        try:
            torch.empty(0, device=self.device)
        except (AssertionError, NotImplementedError, RuntimeError) as error:
            raise CannotRun(f"device is {self.device}, which cannot be used here: {brief(error)}") from None
        strange = [name for name in self.under if name not in UNDER]
        if strange:
            raise CannotRun(f"under has {strange[0]!r}; it may have {' and '.join(map(repr, UNDER))}.")
        unknown = sorted(self.allow - set(MISTAKES))
        if unknown:
            raise CannotRun(f"allow has {unknown[0]!r}, which is the id of no mistake.")

    def world(self, exact: bool = False, under: str = "") -> dict[str, Any]:
        """Return the fields of the probe's `World` that differ from the usual ones; `exact` is in float64."""
        fields: dict[str, Any] = {"objects": self.objects} if self.objects else {}
        if under:
            fields["under"] = under
        if not exact and self.dtype != "float64":
            fields["dtype"] = self.dtype
        if self.device != "cpu":
            fields["device"] = self.device
        if self.seed is not None:
            fields["seed"] = self.seed
        return fields | ({"manifolds": self.manifolds} if self.manifolds else {})

    @property
    def dtypes(self) -> tuple[str, ...]:
        """Return the dtype of the tensors, then float32 if it is tried, too: seeded numbers depend on it."""
        return (self.dtype, *(["float32"] if self.dtype == "float64" and self.seed is None else []))

    @property
    def manifolds(self) -> dict[int, str]:
        """Return the manifold of each argument that has one; the domain has the arguments in their order."""
        if self.domain is None:
            return {}
        kinds = [self.domain.array(name) for name in self.domain.names]
        return {place: kind.on for place, kind in enumerate(kinds) if kind is not None and kind.on}

    def tolerance(self, by_reference: bool) -> float:
        """Return the tolerance, relative to the largest entry of a gradient."""
        if self.rtol is not None:
            return self.rtol
        return TOLERANCES.get(self.dtype, RELATIVE if by_reference else ACCEPTED)

    @property
    def harmless(self) -> frozenset[str]:
        """Return the ids of the mistakes that are warnings."""
        return self.allow | (frozenset() if self.strict else HARMLESS)
