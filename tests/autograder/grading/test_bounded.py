"""Pages made from a submission have bounds, and honest work is shown as it is."""

import submissions
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading import bounded
from autograder.grading.bounded import LEFT_OUT, shown
from vjpcheck.result import Finding, Outcome, Result


def test_all_of_the_corpus_is_shown_as_it_is():
    for submission in submissions.every():
        assert shown(submission.source) == submission.source, str(submission)


pieces = st.tuples(st.text("a. \n\t%?'\u00a0", max_size=6), st.integers(1, 30_000))


@given(st.lists(pieces, max_size=4))
def test_whatever_a_cell_holds_its_lines_and_blank_lines_are_few(repeated):
    lines = shown("".join(text * times for text, times in repeated)).split("\n")
    assert sum(map(len, lines)) <= bounded.SOURCE_AT_MOST + len(LEFT_OUT)
    assert max(map(len, lines)) <= bounded.LINE_AT_MOST + len(LEFT_OUT)
    blank = "".join("." if line.strip() else " " for line in lines)
    assert " " * (bounded.BLANK_LINES_AT_MOST + 1) not in blank


def test_findings_are_few_and_short():
    finding = Finding("gradient", "m" * 10_000, input="i" * 10_000, hint="h" * 10_000, seen="s" * 10_000)
    result = Result("cube", {"gradient": 1.0}, (Outcome("gradient", (finding,) * 1000),), 0.0)
    cut = bounded.bounded(result)
    assert len(cut.findings) == bounded.FINDINGS_AT_MOST
    assert len(str(cut.to_json())) < bounded.FINDINGS_AT_MOST * 3 * bounded.SENTENCE_AT_MOST
    assert cut.score == result.score
