"""Displays a result in a notebook or at a prompt."""

from __future__ import annotations

from dataclasses import dataclass

from vjpcheck.render.html import as_html, in_short
from vjpcheck.render.text import as_text, in_a_line
from vjpcheck.result import Result


@dataclass(frozen=True, repr=False)
class ShownResult(Result):
    """A result that prints as text and, in a notebook, shows as HTML."""

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


@dataclass(frozen=True, repr=False)
class ResultLine:
    """A result in one line, for a repeated check: the verdict and the points."""

    result: Result

    def __repr__(self) -> str:
        return in_a_line(self.result)

    def _repr_html_(self) -> str:
        return in_short(self.result)
