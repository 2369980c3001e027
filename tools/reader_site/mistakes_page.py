"""Writes the table of mistakes as a page in MyST Markdown."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping

from reader_site.mistakes import Example, Group, Mistake
from reader_site.symptoms import Message, autograder_says, gradcheck_passes, pytorch_says

HEAD = """\
# The table of mistakes

What goes wrong in a custom autograd Function, and what it looks like. Paste the message that you see into the
search field, without the name of your own Function, or look through the list; the name of a mistake is the
one that `check` and `autograder check` print. *Silent* means that PyTorch says nothing: the gradient is wrong,
memory is lost, or a later caller is hurt, without a word.

Each example stands in the project's own tests. The messages were quoted from running it when this page was
built, with PyTorch {version}; with the marked lines exchanged, the autograder finds nothing more to say.
"""
PLACE = re.compile(r" \(line \d+: (.*?)\)(?=:|\.| and|$)")  # lines of a file that the reader does not have


def write(groups: list[Group], lessons: Mapping[int, tuple[str, str]], version: str) -> str:
    """Return the page; `lessons` has the path and the title of each lesson that there is, by its number."""
    said = {m.id: pytorch_says(m.example) for group in groups for m in group.mistakes}
    parts = [HEAD.format(version=version)]
    for group in groups:
        parts += _overview(group, said)
    for group in groups:
        parts += [f"## {group.title}", group.about]
        parts += [_section(mistake, said[mistake.id], lessons) for mistake in group.mistakes]
    return "\n\n".join(parts) + "\n"


def _overview(group: Group, said: Mapping[str, Message | None]) -> list[str]:
    rows = ["| mistake | what PyTorch says |", "| :--- | :--- |"]
    for mistake in group.mistakes:
        message = said[mistake.id]
        symptom = f"`{_cell(message.text)}`" if message else "*silent*"
        rows.append(f"| [`{mistake.id}`](#{mistake.id}) | {symptom} |")
    return [f":::{{rubric}} {group.title}\n:::", "\n".join([":::{container} overview", *rows, ":::"])]


def _section(mistake: Mistake, said: Message | None, lessons: Mapping[int, tuple[str, str]]) -> str:
    parts = [f"### `{mistake.id}`", *_symptom(mistake, said)]
    parts += [f"**Cause.** {mistake.why}", f"**Cure.** {mistake.cure}"]
    parts += [_difference(mistake.example), _where(mistake, lessons)]
    return "\n\n".join(part for part in parts if part)


def _symptom(mistake: Mistake, said: Message | None) -> Iterator[str]:
    example = mistake.example
    if said:
        yield f"**Symptom.** PyTorch stops {said.when}:"
        yield _quoted(f"{said.error}: {said.text}", mistake.id)
    elif gradcheck_passes(example):
        yield "**Symptom.** Silent: PyTorch says nothing, and `torch.autograd.gradcheck` returns True."
    else:
        yield "**Symptom.** Silent: PyTorch says nothing."
    if said and said.when.endswith("gradgradcheck`") and gradcheck_passes(example):
        yield "At first order it is silent: `torch.autograd.gradcheck` returns True."
    if example.exercise:
        finding = autograder_says(example.wrong, example.exercise).findings[0]
        yield "The autograder says:"
        yield _quoted(f"{finding.mistake}: {PLACE.sub(_without_number, finding.message)}")


def _quoted(text: str, anchor: str = "") -> str:
    return f"```{{message}} {anchor}\n{text}\n```"


def _without_number(place: re.Match[str]) -> str:
    return f" ({place[1]})"


def _difference(example: Example) -> str:
    """Write wrong and right code as one text: − what is written, + what mends it."""
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
        return f"Lesson {mistake.lesson} is about it."
    path, title = lessons[mistake.lesson]
    return f"Lesson {mistake.lesson} is about it: [{title}]({path})."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")
