"""Returns links from a result to the published site of the course."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

PACKAGE = "write-your-own-backward"
PLACEHOLDER = "//OWNER."  # in the address of a course that is not published yet


@cache
def address() -> str:
    """Return the address of the course's site from the package's metadata; '' if there is none yet."""
    try:
        urls = metadata(PACKAGE).get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = dict(url.split(", ", 1) for url in urls)
    link = named.get("Documentation", "")
    return "" if PLACEHOLDER in link else link.rstrip("/")


def entry(mistake: str) -> str:
    """Return the address of a mistake's entry in the table; '' if there is no site."""
    return f"{address()}/mistakes.html#{mistake}" if address() else ""
