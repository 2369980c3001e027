"""Pages made from a submission have bounds, and honest work is bound_source as it is."""

import submissions
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading import output_limits
from autograder.grading.output_limits import LEFT_OUT, bound_source
from vjpcheck.result import Finding, Outcome, Result


def test_all_of_the_corpus_is_shown_as_it_is():
    for submission in submissions.every():
        assert bound_source(submission.source) == submission.source, str(submission)


pieces = st.tuples(st.text("a. \n\t%?'\u00a0", max_size=6), st.integers(1, 30_000))


@given(st.lists(pieces, max_size=4))
def test_whatever_a_cell_holds_its_lines_and_blank_lines_are_few(repeated):
    lines = bound_source("".join(text * times for text, times in repeated)).split("\n")
    assert sum(map(len, lines)) <= output_limits.SOURCE_AT_MOST + len(LEFT_OUT)
    assert max(map(len, lines)) <= output_limits.LINE_AT_MOST + len(LEFT_OUT)
    blank = "".join("." if line.strip() else " " for line in lines)
    assert " " * (output_limits.BLANK_LINES_AT_MOST + 1) not in blank


def test_findings_are_few_and_short():
    finding = Finding("gradient", "m" * 10_000, input="i" * 10_000, hint="h" * 10_000, seen="s" * 10_000)
    result = Result("cube", {"gradient": 1.0}, (Outcome("gradient", (finding,) * 1000),), 0.0)
    cut = output_limits.bound_result(result)
    assert len(cut.findings) == output_limits.FINDINGS_AT_MOST
    assert len(str(cut.to_json())) < output_limits.FINDINGS_AT_MOST * 3 * output_limits.SENTENCE_AT_MOST
    assert cut.score == result.score
