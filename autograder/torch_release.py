"""Compares the installed release of PyTorch with those that the course was tried with."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion

DISTRIBUTION = "write-your-own-backward"


def untried() -> str:
    """Return a sentence if the installed PyTorch is outside the bounds of this package, else an empty string.

    Reads the metadata of the installation and does not import torch. Nothing is known, and nothing said,
    where either of the two is not installed.
    """
    try:
        here, wanted = version("torch"), map(Requirement, requires(DISTRIBUTION) or ())
    except PackageNotFoundError:
        return ""
    specifier = next((r.specifier for r in wanted if r.name == "torch" and _is_of_the_course(r)), None)
    if specifier is None or _is_in(here, specifier):
        return ""
    tried = ",".join(sorted(map(str, specifier), reverse=True))
    return f"The checks were tried with torch{tried}; some may be wrong with PyTorch {here}, installed here."


def _is_of_the_course(requirement: Requirement) -> bool:
    """Return whether the extra [course] asks for it: without that extra there is a lower bound alone."""
    return requirement.marker is not None and requirement.marker.evaluate({"extra": "course"})


def _is_in(release: str, bounds: SpecifierSet) -> bool:
    try:
        return release in bounds
    except InvalidVersion:  # a build of one's own may be called anything
        return False
