"""The template of a whole page; what goes into it is escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from vjpcheck.escaping import visible


@cache
def template(package: str) -> Template:
    """Return page.html.j2 of a package. A name that it is not given raises jinja2.UndefinedError."""
    environment = Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    return environment.get_template("page.html.j2")


def _shown(value: object) -> object:
    """Return what stands for a value on the page; Jinja escapes a text afterwards."""
    return visible(value) if type(value) is str else value
