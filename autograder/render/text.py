"""A result as plain text."""

from __future__ import annotations

import textwrap

from autograder.mistakes import MISTAKES
from autograder.result import Finding, Outcome, Result

WIDTH = 100


def as_text(result: Result) -> str:
    """Return a line a check with its points, and under it what was found."""
    head = f"{result.exercise}: {'all right' if result.passed else 'not yet right'}"
    lines = [f"{head}, {result.score:g} of {result.max_score:g} points"]
    for outcome in result.outcomes:
        lines.append(_check(outcome, result.points[outcome.check]))
        for finding in outcome.findings:
            lines.extend(_finding(finding))
    if result.printed.strip():
        lines.append("  Your code printed:")
        lines.extend(f"    {line}" for line in result.printed.strip().splitlines()[:10])
    return "\n".join(lines)


def _check(outcome: Outcome, points: float) -> str:
    mark = "✓" if outcome.passed else "✗" if outcome.reached else "–"
    earned = points if outcome.passed else 0
    note = "" if outcome.reached else "   (not reached)"
    return f"  {mark} {outcome.check:<18} {earned:g} / {points:g}{note}"


def _finding(finding: Finding) -> list[str]:
    name = f"[{finding.mistake}] " if finding.mistake else ""
    why = MISTAKES[finding.mistake].why if finding.mistake else ""
    parts = [
        f"{name}{finding.message}",
        why and f"Why it matters: {why}",
        finding.hint and f"Hint: {finding.hint}",
    ]
    return [
        line
        for part in parts
        if part
        for line in textwrap.wrap(part, WIDTH, initial_indent="      ", subsequent_indent="      ")
    ]
