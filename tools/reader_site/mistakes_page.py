"""Writes the table of mistakes as a page in MyST Markdown."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping

from reader_site.mistakes import Example, Group, Mistake
from reader_site.symptoms import Message, autograder_says, gradcheck_passes, pytorch_says

HEAD = """\
# The table of mistakes

This page lists mistakes in custom autograd Functions and their symptoms. Paste an error message into the
field, with the names and numbers that it has, or look through the list. Where several mistakes have one
message, [`diagnose`](check-your-own.md) tells them apart; it, `check` and `autograder check` print the
names of this table. *Silent* means that PyTorch raises no error: the gradient is wrong, memory
is lost, or other code gets wrong results.

Each example comes from the project's tests. The messages come from running it when this page was built,
with PyTorch {version}. After the marked changes, the autograder finds no mistake.

```{{raw}} html
<div class="filter" role="search">
<label for="message">An error message, or words</label>
<input type="search" id="message" autocomplete="off" spellcheck="false"
 placeholder="function MyOpBackward returned an incorrect number of gradients (expected 3, got 2)">
<output for="message"></output></div>
<div class="nearest"></div>
<script defer src="_static/mistakes.js"></script>
```
"""
PLACE = re.compile(r" \(line \d+: (.*?)\)(?=:|\.| and|$)")  # lines of a file that the reader does not have


def write(
    groups: list[Group], lessons: Mapping[int, tuple[str, str]], version: str, solutions: bool = True
) -> str:
    """Return the page; `lessons` has the path and the title of each lesson that there is, by its number.

    Without `solutions` it has no code of an exercise.
    """
    said = {m.id: pytorch_says(m.example) for group in groups for m in group.mistakes}
    parts = [HEAD.format(version=version)]
    for group in groups:
        parts += _overview(group, said)
    for group in groups:
        parts += [f"## {group.title}", group.about]
        parts += [_section(mistake, said[mistake.id], lessons, solutions) for mistake in group.mistakes]
    return "\n\n".join(parts) + "\n"


def _overview(group: Group, said: Mapping[str, Message | None]) -> list[str]:
    rows = ["| Mistake | Message of PyTorch |", "| :--- | :--- |"]
    for mistake in group.mistakes:
        message = said[mistake.id]
        symptom = f"`{_cell(message.text)}`" if message else "*silent*"
        rows.append(f"| [`{mistake.id}`](#{mistake.id}) | {symptom} |")
    return [f":::{{rubric}} {group.title}\n:::", "\n".join([":::{container} overview", *rows, ":::"])]


def _section(
    mistake: Mistake, said: Message | None, lessons: Mapping[int, tuple[str, str]], solutions: bool
) -> str:
    parts = [f"### `{mistake.id}`", *_symptom(mistake, said)]
    parts += [f"**Cause.** {mistake.why}", f"**Cure.** {mistake.cure}"]
    if solutions or not mistake.example.exercise:
        parts.append(_difference(mistake.example))
    parts.append(_where(mistake, lessons))
    return "\n\n".join(part for part in parts if part)


def _symptom(mistake: Mistake, said: Message | None) -> Iterator[str]:
    example = mistake.example
    if said:
        yield f"**Symptom.** PyTorch raises an error {said.when}:"
        yield _quoted("pytorch", f"{said.error}: {said.text}")
    elif gradcheck_passes(example):
        yield "**Symptom.** Silent: PyTorch raises no error, and `torch.autograd.gradcheck` returns True."
    else:
        yield "**Symptom.** Silent: PyTorch raises no error."
    if said and said.when.endswith("gradgradcheck`") and gradcheck_passes(example):
        yield "At first order the mistake is silent: `torch.autograd.gradcheck` returns True."
    if example.exercise:
        finding = autograder_says(example.wrong, example.exercise).findings[0]
        yield "The autograder reports:"
        yield _quoted("autograder", f"{finding.mistake}: {PLACE.sub(_without_number, finding.message)}")


def _quoted(who: str, text: str) -> str:
    return f"```{{message}} {who}\n{text}\n```"


def _without_number(place: re.Match[str]) -> str:
    return f" ({place[1]})"


def _difference(example: Example) -> str:
    """Write wrong and right code as one text: − marks the mistake, + the correction."""
    wrong, right = (source.rstrip().splitlines() for source in (example.wrong, example.right))
    everything = len(wrong) + len(right)
    lines = list(difflib.unified_diff(wrong, right, n=everything, lineterm=""))[3:]
    while lines[0].strip() in ("", "import torch"):
        lines.pop(0)
    return "```{code-block} diff\n" + "\n".join(lines) + "\n```"


def _where(mistake: Mistake, lessons: Mapping[int, tuple[str, str]]) -> str:
    if mistake.lesson is None:
        return ""
    if mistake.lesson not in lessons:
        return f"Lesson {mistake.lesson} explains it."
    path, title = lessons[mistake.lesson]
    return f"Lesson {mistake.lesson} explains it: [{title}]({path})."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")
