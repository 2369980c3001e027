"""Prints what was measured, and beside it what was to be reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

ENGINE = "course.engine"
BY_HAND = "NumPy by hand"


class Target(NamedTuple):
    """A bound on a measurement: `at least` or `at most` so much."""

    sense: str
    bound: float

    def reached(self, value: float) -> bool:
        """Say whether a value keeps to the bound."""
        return value >= self.bound if self.sense == "at least" else value <= self.bound


def at_least(bound: float) -> Target:
    """Return a lower bound."""
    return Target("at least", bound)


def at_most(bound: float) -> Target:
    """Return an upper bound."""
    return Target("at most", bound)


class Report:
    """The lines printed so far, and which targets were missed."""

    def __init__(self) -> None:
        self.checked = 0
        self.missed: list[str] = []
        self.title = ""

    def heading(self, title: str) -> None:
        """Begin a row of the table."""
        self.title = title
        print(f"\n{title}", flush=True)

    def check(self, what: str, value: float, unit: str, target: Target) -> None:
        """Print a measurement beside its target."""
        self.checked += 1
        ok = target.reached(value)
        if not ok:
            self.missed.append(f"{self.title}: {what} {value:.2f}{unit}, {target.sense} {target.bound:g}")
        verdict = "ok" if ok else "MISSED"
        print(f"  {what:<34}{value:>10.2f}{unit:<9} {target.sense} {target.bound:g}  {verdict}", flush=True)

    def died(self, what: str, how: str) -> None:
        """Print how a peer died; where there is nothing to compare with, nothing is missed."""
        print(f"  {what:<34} died: {how}", flush=True)

    def times(
        self,
        found: Mapping[str, float | str],
        base: str,
        targets: Mapping[tuple[str, str], Target],
    ) -> None:
        """Print times as multiples of the base's, then the ratios of two to be reached."""
        for name, value in found.items():
            if isinstance(value, str):
                self.died(name, value)
            else:
                multiple = f"{value / found[base]:.2f} × {base}" if name != base else ""  # type: ignore[operator]
                print(f"  {name:<34}{value * 1e3:>10.2f} ms       {multiple}", flush=True)
        for (above, below), target in targets.items():
            one, other = found[above], found[below]
            if not isinstance(one, str) and not isinstance(other, str):
                self.check(f"{above} / {below}", one / other, "", target)

    def close(self) -> None:
        """Say how many targets were reached, and name the others."""
        print(f"\n{self.checked - len(self.missed)} of {self.checked} targets reached")
        for line in self.missed:
            print(f"  missed: {line}")
