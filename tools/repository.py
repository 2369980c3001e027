"""Where the repository is published: pyproject.toml says it once, and every link to it is made here."""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
FIRST_PAGE = "course/01-reverse-accumulation.ipynb"
PLACEHOLDER = "OWNER"
REMINDER = (
    "pyproject.toml still names a placeholder as the repository: before it is published, run "
    "python3 tools/set_home.py with its address."
)


def address() -> str:
    """Return the address of the repository on GitHub."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["urls"]["Repository"])


def site() -> str:
    """Return the address of the rendered course, with a slash at its end."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["urls"]["Documentation"]).rstrip("/") + "/"


def owner_and_name() -> str:
    """Return `owner/name`, as GitHub and Binder have it in their addresses."""
    return address().removeprefix("https://github.com/")


def is_placeholder() -> bool:
    """Say whether the address is one that nobody has published at."""
    return owner_and_name().split("/")[0] == PLACEHOLDER


def launch(page: str = FIRST_PAGE) -> str:
    """Return the address at which Binder opens a notebook of the course in JupyterLab."""
    return f"https://mybinder.org/v2/gh/{owner_and_name()}/HEAD?urlpath={quote('lab/tree/' + page)}"


def badges() -> str:
    """Return the badges of Binder and of the site in Markdown, a line each; '' if the address is nobody's."""
    if is_placeholder():
        return ""
    binder = f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({launch()})"
    return (
        f"{binder}\n[![Documentation](https://img.shields.io/badge/documentation-website-1976d2)]({site()})\n"
    )
