"""Reports the lines of the work that never ran, about which the checks say nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vjpcheck.ask import requests
from vjpcheck.ask.answers import Unreached
from vjpcheck.ask.protocol import Misfit, ProbeClient
from vjpcheck.result import Outcome

LISTED_AT_MOST = 3


def never_ran(probe: ProbeClient, outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Return a sentence for each part of the work that never ran, and one about the parts not listed.

    Return nothing if a check was not reached or wrong work raised: this explains why lines did not run.
    """
    outcomes = [*outcomes]
    if not outcomes or not all(outcome.reached for outcome in outcomes):
        return ()
    try:
        answer = probe.ask_one(requests.never_ran())
    except Misfit:  # a remark takes no points, so an invalid answer about it takes none either
        return ()
    wrong = any(outcome.findings for outcome in outcomes)
    return () if wrong and answer["raised"] else tuple(_sentences(answer["parts"]))


def _sentences(parts: list[Unreached]) -> Iterator[str]:
    for part in parts[:LISTED_AT_MOST]:
        if part["function"]:
            name, line = part["function"], part["first"]
            yield f"{name} (line {line}) never ran, so nothing says that it is right"
        elif part["count"] == 1:
            yield f"line {part['first']} never ran, so nothing says that it is right: `{part['source']}`"
        else:
            between = "and" if part["last"] == part["first"] + 1 else "to"
            lines = f"lines {part['first']} {between} {part['last']}"
            yield f"{lines} never ran, so nothing says that they are right: `{part['source']}` …"
    if more := sum(part["count"] for part in parts[LISTED_AT_MOST:]):
        yield f"and {more} more line{'s' * (more > 1)}"
