"""Packs the site's scripts: those of `site/scripts/` with their imports from npm, and those of all pages."""

from __future__ import annotations

from pathlib import Path

from reader_site import BUILD, SITE, npm

STATIC = BUILD / "static"
BUNDLED = ("mistakes.js", "search.js")
ON_EVERY_PAGE = ("copybutton.js", "doctools.js", "site.js", "sphinx_highlight.js", "start.js")


def bundle() -> None:
    """Write each script of `site/scripts/` that a page loads into the site's static files; as `npm.run`."""
    # a plain script and not a module, which a browser does not load from a folder
    options = ("--bundle", "--format=iife", "--tsconfig-raw={}", f"--outdir={STATIC}")
    npm.esbuild(*(SITE / "scripts" / name for name in BUNDLED), *options)


def packed(code: str) -> str:
    """Return a script that does the same; as `npm.run`."""
    return npm.esbuild("--loader=js", given=code)


def pack_common(html: Path) -> None:
    """Pack the scripts that each page of a built site loads; as `npm.run`."""
    static = html / "_static"
    npm.esbuild(*(static / name for name in ON_EVERY_PAGE), f"--outdir={static}", "--allow-overwrite")
