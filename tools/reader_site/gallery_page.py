"""Writes the gallery of wrong backwards as a page in MyST Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import replace
from html import escape

import torch

from autograder.report.lessons import lesson_of
from reader_site.gallery import Answer, Repair, Wrong
from vjpcheck.render.heat_maps import as_maps
from vjpcheck.render.html import as_html
from vjpcheck.result import Jacobians

HEAD = """\
# {count} wrong backwards, {passing} of which gradcheck passes

Each is a mistake in the `backward` of a custom PyTorch autograd Function. PyTorch finds nothing wrong with
the first {passing}: no error, no warning, and `torch.autograd.gradcheck` returns True. For the others,
`gradcheck` raises an error with two matrices of numbers and does not say what to change. `diagnose` names
every mistake.

Everything below comes from running the code when this page was built, with PyTorch {version}. Each entry has
its own link and a command that repeats the check. If a mistake has a public history, its entry links to it.
"""
NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
GROUPS = (
    ("gradcheck says True", "`gradcheck` tests the first derivative at the given inputs, and little else."),
    ("gradcheck fails but does not say why", "In training, these mistakes raise no error either."),
)


def write(gallery: list[Wrong], lessons: Mapping[int, tuple[str, str]], version: str) -> str:
    """Return the page; `lessons` has the path and the title of each lesson that there is, by its number."""
    passing = [wrong for wrong in gallery if wrong.passes_gradcheck]
    failing = [wrong for wrong in gallery if not wrong.passes_gradcheck]
    count = NUMBERS[len(gallery)].capitalize()
    parts = [HEAD.format(count=count, passing=NUMBERS[len(passing)], version=version)]
    parts.append(overview(gallery))
    for (title, about), group in zip(GROUPS, (passing, failing), strict=True):
        parts += [f"## {title}", about]
        parts += [section(wrong, lessons) for wrong in group]
    return "\n\n".join(parts) + "\n"


def overview(gallery: Iterable[Wrong]) -> str:
    """Return a table with a row for each wrong backward."""
    rows = ["| Wrong backward | gradcheck | The mistake |", "| :--- | :--- | :--- |"]
    for wrong in gallery:
        said = "**True**" if wrong.passes_gradcheck else "an error"
        mistake = f"[`{wrong.mistake}`](mistakes.md#{wrong.mistake})" if wrong.mistake else "no name yet"
        rows.append(f"| [{wrong.title}](#{wrong.anchor}) | {said} | {mistake} |")
    return "\n".join(rows)


def section(wrong: Wrong, lessons: Mapping[int, tuple[str, str]]) -> str:
    """Return the entry of a wrong backward; `lessons` is as for `write`."""
    parts = [
        f"({wrong.anchor})=\n### {wrong.title}",
        wrong.about,
        _source(wrong.source),
        _fenced("python", wrong.code),
        _raw(says(wrong)),
        f"**In use.** {wrong.in_use.what}, where `f` is `{wrong.function}.apply` or the same in PyTorch's "
        "own operations:",
        _fenced("python", wrong.in_use.code),
        _raw(_compared(wrong)),
        "**The card.** `diagnose` says:",
        _raw(as_html(replace(wrong.card, printed=""))),
        f"{_where(wrong, lessons)}This command prints the card in a terminal:",
        _fenced("sh", wrong.command),
        *_repair(wrong.repair),
    ]
    return "\n\n".join(part for part in parts if part)


def _source(address: str) -> str:
    """Say where a public Function has the same fault; its address names the repository, commit and line."""
    if not address:
        return ""
    owner, name, _, commit, *path = address.removeprefix("https://github.com/").split("/")
    file, _, line = "/".join(path).partition("#L")
    return (
        f"**Where.** [`{file}`, line {line}]({address}) of {owner}/{name} at commit {commit[:7]}. "
        "Below is the smallest Function with the same fault, written from scratch."
    )


def _repair(repair: Repair | None) -> list[str]:
    if repair is None:
        return []
    said = f"`gradcheck`: {_brief(repair.gradcheck)}, `gradgradcheck`: {_brief(repair.gradgradcheck)}"
    checked = f"`diagnose` finds {'nothing' if repair.card.passed else 'a mistake'}"
    return [f"**The repair.** {said}, and {checked}:", _fenced("python", repair.code)]


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _raw(html: str) -> str:
    return f"```{{raw}} html\n{html}\n```"


def says(wrong: Wrong) -> str:
    """Write what PyTorch says in three calls, the messages of those that raise folded."""
    answers = (wrong.backward, wrong.gradcheck, wrong.gradgradcheck)
    calls = list(zip(("backward()", "gradcheck", "gradgradcheck"), answers, strict=True))
    chips = "".join(
        f'<li class="{_kind(answer)}"><code>{call}</code> {_brief(answer)}</li>' for call, answer in calls
    )
    folded = "".join(
        f"<details><summary>What <code>{call}</code> says</summary>"
        f"<pre>{escape(f'{answer.error}: {answer.message}')}</pre></details>"
        for call, answer in calls
        if answer.error
    )
    return f'<div class="pytorch-says"><ul aria-label="What PyTorch says">{chips}</ul>{folded}</div>'


def _kind(answer: Answer) -> str:
    return "raised" if answer.error else "quiet" if answer.returned is None else "passed"


def _brief(answer: Answer) -> str:
    if answer.error:
        return f"raises {answer.error}"
    return "no error, no warning" if answer.returned is None else str(answer.returned)


def _compared(wrong: Wrong) -> str:
    """Write the two gradients one below the other, and draw them unless the card has Jacobians."""
    answers = (wrong.in_use.wrong, wrong.in_use.right)
    names = (f"{wrong.function}.apply", "PyTorch's operations")
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd><pre>{escape(_outcome(answer))}</pre></dd>"
        for name, answer in zip(names, answers, strict=True)
    )
    drawn = ""
    gradients = [a.returned for a in answers if isinstance(a.returned, torch.Tensor)]
    if len(gradients) == len(answers) and not any(finding.jacobians for finding in wrong.card.findings):
        observed, true = (gradient.double().numpy().reshape(1, -1) for gradient in gradients)
        jacobians = Jacobians(observed, true, (), tuple(gradients[0].shape))
        drawn = f"<figure>{as_maps(jacobians)}</figure>"
    return f'<div class="compared"><dl>{rows}</dl>{drawn}</div>'


def _outcome(answer: Answer) -> str:
    return _shortened(f"{answer.error}: {answer.message}") if answer.error else str(answer.returned)


def _shortened(message: str) -> str:
    return textwrap.shorten(message, 200, placeholder=" …")


def _where(wrong: Wrong, lessons: Mapping[int, tuple[str, str]]) -> str:
    number = lesson_of(wrong.mistake, "")
    if number is None or number not in lessons:
        return ""
    path, title = lessons[number]
    return f"[Lesson {number}]({path}) explains it: {title}. "
