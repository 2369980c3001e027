"""Bounds the text that one submission adds to the gradebook, to autograded/ and to pages made from them."""

from dataclasses import replace

from vjpcheck.result import Finding, Outcome, Result

FINDINGS_AT_MOST = 12  # of one check
SENTENCE_AT_MOST = 4_000  # characters of one sentence about the work
PRINTED_AT_MOST = 50_000  # characters that all cells together print, as autograded/ shows them
SOURCE_AT_MOST = 20_000  # characters of one cell of the student, as autograded/ shows it
SOURCES_AT_MOST = 60_000  # of all of them
LINE_AT_MOST = 1_000
BLANK_LINES_AT_MOST = 20  # in a row
LEFT_OUT = " … (left out: too long)"


def bound_result(result: Result) -> Result:
    """Return the result with a bounded number of findings for each check, of bounded length."""
    never_ran = tuple(map(cut, result.never_ran))
    return replace(result, outcomes=tuple(map(_outcome, result.outcomes)), never_ran=never_ran)


def _outcome(outcome: Outcome) -> Outcome:
    return replace(outcome, findings=tuple(map(_finding, outcome.findings[:FINDINGS_AT_MOST])))


def _finding(finding: Finding) -> Finding:
    return replace(
        finding,
        message=cut(finding.message),
        hint=cut(finding.hint),
        seen=cut(finding.seen),
        input=None if finding.input is None else cut(finding.input, 100),
    )


def cut(text: str, at_most: int = SENTENCE_AT_MOST) -> str:
    """Return a text of bounded length."""
    return text if len(text) <= at_most else text[:at_most] + LEFT_OUT


def bound_source(source: str, at_most: int = SOURCE_AT_MOST) -> str:
    """Return a cell's source for pages: its length, its lines and its runs of blank lines are bounded.

    Pygments colours the source for nbgrader's pages and takes time quadratic in the last two.
    """
    lines: list[str] = []
    blank = 0
    for line in cut(source, min(at_most, SOURCE_AT_MOST)).split("\n"):
        blank = blank + 1 if not line.strip() else 0
        if blank <= BLANK_LINES_AT_MOST:
            lines.append(cut(line, LINE_AT_MOST))
    return "\n".join(lines)
