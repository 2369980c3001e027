"""The template of a whole page; all values on it are escaped."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from vjpcheck.escaping import visible


@cache
def template(package: str) -> Template:
    """Return page.html.j2 of a package. A missing name raises jinja2.UndefinedError."""
    environment = Environment(
        loader=PackageLoader(package, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,
    )
    return environment.get_template("page.html.j2")


def _make_visible(value: object) -> object:
    """Return a value with its invisible characters made visible; Jinja escapes HTML afterwards."""
    return visible(value) if type(value) is str else value
