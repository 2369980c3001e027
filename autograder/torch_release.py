"""Compares the installed release of PyTorch with the releases that the course was tried with."""

from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion

DISTRIBUTION = "write-your-own-backward"


def untried() -> str:
    """Return a sentence if the installed PyTorch is outside the bounds of this package, else an empty string.

    Reads the metadata of the installation and does not import torch. If either of the two is not installed,
    the sentence is empty.
    """
    try:
        ours, requirements = version("torch"), map(Requirement, requires(DISTRIBUTION) or ())
    except PackageNotFoundError:
        return ""
    specifier = next((r.specifier for r in requirements if r.name == "torch" and _is_of_the_course(r)), None)
    if specifier is None or _is_in(ours, specifier):
        return ""
    tried = ",".join(sorted(map(str, specifier), reverse=True))
    return f"The checks were tried with torch{tried}; some may be wrong with PyTorch {ours}, installed here."


def _is_of_the_course(requirement: Requirement) -> bool:
    """Return whether a requirement belongs to the extra [course], which alone has an upper bound."""
    return requirement.marker is not None and requirement.marker.evaluate({"extra": "course"})


def _is_in(release: str, bounds: SpecifierSet) -> bool:
    try:
        return release in bounds
    except InvalidVersion:  # a private build may have any version
        return False
