"""Writes the gallery of faults in public Functions as a page in MyST Markdown."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reader_site import SITE
from reader_site.gallery import Wrong
from reader_site.gallery_page import NUMBERS, overview, section

TRIALS = SITE / "wild" / "trials.csv"
HEAD = """\
# Found in the wild

{count} faults in public PyTorch Functions. The libraries are good at what they were written for, and we have
learned from all of them. The faults are easy to miss, because training goes on without an error message.
Every entry names the line, says for which inputs the fault matters, and ends with a repair.

Each Function below is the smallest one with the same fault, written from scratch. All results come from
running these Functions when this page was built, with PyTorch {version}.
"""
METHOD = """\
## How they were found

We took {functions} custom Functions from {repositories} public repositories, at the commits below. We ran
`diagnose` on each, in float64 on a CPU, with inputs like those that its callers give, and judged every
finding by hand. We ran `gradcheck` and `gradgradcheck` on the same inputs. Where they disagreed with
`diagnose`, we looked for the reason in the source.
"""
AFTER = """\
Each Function is counted once, under its most serious fault. [The whole list](repository:site/wild/trials.csv)
is in the repository. `python -m benchmarks.wild FOLDER…` repeats
the runs on checkouts of your own; it executes their code, in bubblewrap if that is installed.
"""
OUTCOMES = {
    "wrong": "The gradient is wrong, or `backward` raises, for inputs that forward accepts",
    "overwritten": "The Function overwrites a tensor that belongs to other code or is needed again",
    "second": "The gradient is right. The second derivative is wrong, NaN or raises without a declaration",
    "dtype": "float64 inputs give a float32 result",
    "meant": "The gradient differs on purpose (straight-through, surrogate, rerouted); nothing else found",
    "right": "Everything is right",
    "missed": "`diagnose` found nothing, but something was wrong",
    "accused": "`diagnose` reported an error, but the Function is right for the given inputs",
    "refused": "`diagnose` could not judge it",
}


@dataclass(frozen=True)
class Trial:
    """One public Function that was tried, and its outcome: a key of `OUTCOMES`."""

    repository: str
    commit: str
    path: str
    function: str
    outcome: str
    about: str


def trials() -> list[Trial]:
    """Return every Function that was tried."""
    with TRIALS.open(encoding="utf-8", newline="") as file:
        return [Trial(**row) for row in csv.DictReader(file)]


def write(
    wild: Sequence[Wrong], tried: Sequence[Trial], lessons: Mapping[int, tuple[str, str]], version: str
) -> str:
    """Return the page; `lessons` has the path and the title of each lesson that there is, by its number."""
    repositories = sorted({(trial.repository, trial.commit) for trial in tried})
    parts = [
        HEAD.format(count=NUMBERS[len(wild)].capitalize(), version=version),
        overview(wild),
        METHOD.format(functions=len(tried), repositories=len(repositories)),
        _table(tried),
        AFTER,
        "Repositories: " + ", ".join(_commit(name, commit) for name, commit in repositories) + ".",
        "## The faults",
        *(section(wrong, lessons) for wrong in wild),
    ]
    return "\n\n".join(parts) + "\n"


def _table(tried: Sequence[Trial]) -> str:
    counts = Counter(trial.outcome for trial in tried)
    rows = ["| Outcome | Functions |", "| :--- | ---: |"]
    rows += [f"| {text} | {counts[outcome]} |" for outcome, text in OUTCOMES.items()]
    return "\n".join(rows)


def _commit(repository: str, commit: str) -> str:
    return f"[{repository} at {commit[:7]}](https://github.com/{repository}/tree/{commit})"
