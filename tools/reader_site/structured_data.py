"""Describes the course and its lessons to search engines, in the words of schema.org (JSON-LD)."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import lesson_minutes
import nbformat
from docutils import nodes
from sphinx.application import Sphinx

from reader_site import ROOT

PROVIDER = "The Write Your Own Backward authors"  # as CITATION.cff names them
LICENSE = "https://creativecommons.org/licenses/by/4.0/"
TEACHES = (
    "backpropagation",
    "reverse-mode automatic differentiation",
    "vector-Jacobian products",
    "custom autograd Functions in PyTorch",
    "checking gradients with gradcheck",
    "double backward",
)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"|content="([^"]*)" name="description"')


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Add the description of the course to its first page, and of a lesson to the lesson's."""
    base = app.config.html_baseurl
    if page == app.config.root_doc:
        data = _course(app, base)
    elif page.startswith("course/"):
        data = _lesson(page, app.env.titles[page].astext(), base)
    else:
        return
    found = DESCRIPTION.search(context["metatags"])
    if found is None:
        raise ValueError(f"{page} has no description")
    data = {"@context": "https://schema.org", **data, "description": unescape(found[1] or found[2])}
    # a text with </script> must not end the script
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    context["metatags"] += f'\n<script type="application/ld+json">{text}</script>'


def _course(app: Sphinx, base: str) -> dict[str, Any]:
    lessons = sorted(page for page in app.env.found_docs if page.startswith("course/"))
    minutes = {page: _minutes(page) + _assignment_minutes(page) for page in lessons}
    return {
        "@type": "Course",
        "@id": f"{base}#course",
        "name": app.config.project,
        "url": base,
        "image": f"{base}_static/card.png",
        "provider": {"@type": "Organization", "name": PROVIDER, "url": base},
        **_for_all(),
        "teaches": TEACHES,
        "offers": {"@type": "Offer", "category": "Free", "price": 0, "priceCurrency": "USD"},
        "hasCourseInstance": {
            "@type": "CourseInstance",
            "courseMode": "Online",
            "courseWorkload": f"PT{round(sum(minutes.values()) / 60)}H",
        },
        "syllabusSections": [
            {
                "@type": "Syllabus",
                "name": app.env.titles[page].astext(),
                "url": f"{base}{page}.html",
                "timeRequired": f"PT{minutes[page]}M",
            }
            for page in lessons
        ],
    }


def _lesson(page: str, title: str, base: str) -> dict[str, Any]:
    return {
        "@type": "LearningResource",
        "name": title,
        "url": f"{base}{page}.html",
        "learningResourceType": "Lesson",
        "position": int(page.removeprefix("course/")[:2]),
        "timeRequired": f"PT{_minutes(page)}M",
        "isPartOf": {"@id": f"{base}#course"},
        **_for_all(),
    }


def _for_all() -> dict[str, Any]:
    return {"inLanguage": "en", "isAccessibleForFree": True, "license": LICENSE}


def _minutes(page: str) -> int:
    return lesson_minutes.reading(nbformat.read(ROOT / f"{page}.ipynb", as_version=4)).claimed


def _assignment_minutes(page: str) -> int:
    name = page.removeprefix("course/")
    return lesson_minutes.assignment_minutes(name) if (ROOT / "exercises" / name).is_dir() else 0


def setup(app: Sphinx) -> dict[str, bool]:
    """Have the data added when a page is written, after its description."""
    app.connect("html-page-context", describe, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
