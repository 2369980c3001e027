"""Renders a result as plain text, with colour if requested."""

from __future__ import annotations

import textwrap

from vjpcheck.escaping import visible
from vjpcheck.mistakes import why
from vjpcheck.render.jacobians import as_marks
from vjpcheck.result import BACKWARD_RUNS, Finding, Outcome, Result

WIDTH = 100
BRIEF_WIDTH = 80  # nbgrader's command line cuts lines at 87
INDENT = " " * 6
NOUNS = ("contract", "gradient")  # the names of checks that need an article in a sentence
GREEN, RED, YELLOW, DIM = "32", "31", "33", "2"  # of ANSI's escape sequences


def not_reached(outcome: Outcome) -> str:
    """Return the reason in words why a check was not reached."""
    if outcome.unavailable:
        return outcome.unavailable
    if outcome.needed == (BACKWARD_RUNS,):
        return "not reached: backward must run first"
    names = " and ".join(f"the {name}" if name in NOUNS else name for name in outcome.needed)
    return f"not reached: {names} must be right first" if names else "not reached"


def in_a_line(result: Result) -> str:
    """Return the verdict, the first check that failed with its mistake, and the points, in one line."""
    verdict = state(result)
    if result.findings and not result.not_started:
        first = result.findings[0]
        verdict += f" ({first.check}: {first.mistake})" if first.mistake else f" ({first.check})"
    return f"{result.name}: {verdict}, {result.score:g} of {result.max_score:g} points"


def in_brief(result: Result) -> list[str]:
    """Return the verdict in one line, followed by the first finding without pictures."""
    if result.not_started or not result.findings:
        return [in_a_line(result), *_wrapped(result.refusal, BRIEF_WIDTH)]
    first = result.findings[0]
    name = f"[{first.mistake}] " if first.mistake else ""
    sentences = [f"{name}{first.message}", *([why(first)] if first.mistake else [])]
    return [in_a_line(result), *_wrapped(" ".join(sentences), BRIEF_WIDTH)]


def as_text(result: Result, colour: bool = False) -> str:
    """Return one line per check with its points, if any, followed by its findings."""
    if result.refusal:
        lines = _wrapped(f"{result.name}: could not be judged. {result.refusal}", WIDTH)
        return "\n".join([*lines, *_printed(result)])
    verdict = _in(state(result), GREEN if result.passed else RED, colour)
    points = f", {result.score:g} of {result.max_score:g} points" if result.max_score else ""
    lines = [f"{result.name}: {verdict}{points}"]
    lines += [f"  {line}" for line in _wrapped(result.truth, WIDTH - 2)]
    for outcome in result.outcomes:
        lines.append(_check(outcome, result.points[outcome.check], colour))
        for finding in outcome.findings:
            lines.extend(_finding(finding, colour))
    return "\n".join([*lines, *_remarks(result), *_printed(result)])


def remark(result: Result) -> str:
    """Return the heading of the remarks."""
    return "Remark, which takes no points:" if result.max_score else "Remark:"


def _remarks(result: Result) -> list[str]:
    lines = [line for sentence in result.remarks for line in _wrapped(sentence, WIDTH - 4)]
    return [f"  {remark(result)}", *(f"    {line}" for line in lines)] if lines else []


def _printed(result: Result) -> list[str]:
    text = visible(result.printed.strip())
    return ["  Your code printed:", *(f"    {line}" for line in text.splitlines()[:10])] if text else []


def state(result: Result) -> str:
    """Return the verdict on the whole work in a few words."""
    if result.refusal:
        return "could not be judged"
    if result.passed and result.findings:
        return f"right, with {len(result.findings)} warning{'s' * (len(result.findings) > 1)}"
    if result.passed:
        return "all right"
    return "not started" if result.not_started else "not yet right"


def _in(text: str, code: str, colour: bool) -> str:
    return f"\033[{code}m{text}\033[0m" if colour else text


def _check(outcome: Outcome, points: float, colour: bool) -> str:
    if not outcome.reached:
        label = f"{outcome.check:<18} 0 / {points:g}  " if points else outcome.check
        return _in(f"  – {label} ({not_reached(outcome)})", DIM, colour)
    mark = _in("✓", GREEN, colour) if outcome.passed else _in("✗", RED, colour)
    earned = points if outcome.passed else 0
    return f"  {mark} {outcome.check:<18} {earned:g} / {points:g}" if points else f"  {mark} {outcome.check}"


def _finding(finding: Finding, colour: bool) -> list[str]:
    name = f"[{finding.mistake}] " if finding.mistake else ""
    lines = _indented(f"{name}{'Warning: ' * finding.warning}{finding.message}")
    if name:
        lines[0] = lines[0].replace(name, _in(name, YELLOW if finding.warning else RED, colour), 1)
    if finding.seen:
        lines += _indented(f"Seen in {finding.seen}")
    if finding.mistake:
        lines += _indented(f"Why it matters: {why(finding)}")
    if finding.jacobians is not None:
        lines += _marks(finding, colour)
    if finding.hint:
        lines += _indented(f"Hint: {finding.hint}")
    return lines


def _marks(finding: Finding, colour: bool) -> list[str]:
    assert finding.jacobians is not None
    marks = as_marks(finding.jacobians)
    if not marks:
        return []
    legend = "Its Jacobian, one row per output entry: ✗ differs from the true one, = agrees, · both are 0."
    rows = [INDENT + "  " + row.replace("✗", _in("✗", RED, colour)) for row in marks]
    return [*_indented(legend), *rows]


def _indented(text: str) -> list[str]:
    return [INDENT + line for line in _wrapped(text, WIDTH - len(INDENT))]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(visible(text), width)
