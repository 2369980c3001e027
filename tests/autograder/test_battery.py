"""Every task asks the same of a call; a wrong result has the name of the first mistake that gives it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.tasks.battery import BY_COLUMNS, Battery, Candidate, Condition, Trial
from autograder.tasks.calls import FunctionProbe
from vjpcheck.ask.protocol import LocalProbe
from vjpcheck.result import Finding

Work = Callable[[np.ndarray], Any]
RESULT = "the result"
CANDIDATES = [
    Candidate("wrong-factor", "is three times the number", lambda t, _: {RESULT: 3 * t.arguments[0]}),
    Candidate("wrong-operand", "The sign is lost.", lambda t, _: {RESULT: 2 * abs(t.arguments[0])}),
    Candidate("not-precise", "is moved", lambda t, _: {RESULT: 2 * t.arguments[0] + 1}, within=1e-3),
]


class Doubled(FunctionProbe):
    """Calls work that is to double an array."""

    def arguments(self, x: np.ndarray) -> tuple[Sequence[Any], dict[str, Any]]:
        """Return the array, which must stay as it is."""
        return (x,), {"x": x}

    def read(self, returned: Any) -> dict[str, np.ndarray | None]:
        """Return the array."""
        return {RESULT: np.array(returned)}


def trial(x: np.ndarray, condition: Condition | None = None) -> Trial:
    return Trial([x], f"x = {x.tolist()}", {RESULT: 2 * x}, condition)


def found_in(work: Work, trials: Sequence[Trial]) -> list[Finding]:
    return [*Battery(LocalProbe(Doubled(work, "work")), Doubled.run, trials, CANDIDATES).findings()]


def first(work: Work, *trials: Trial) -> str | None:
    findings = found_in(work, trials)
    return findings[0].mistake or "wrong" if findings else None


arrays = st.lists(st.floats(-8, 8).filter(lambda x: abs(x) > 0.1), min_size=2, max_size=4).map(np.array)


@given(st.lists(arrays, min_size=1, max_size=4))
def test_right_work_is_right_and_the_truth_is_no_mistake(drawn: list[np.ndarray]) -> None:
    assert first(lambda x: x + x, *map(trial, drawn)) is None


@given(st.lists(arrays, min_size=1, max_size=4))
def test_the_first_candidate_that_gives_all_values_is_the_name(drawn: list[np.ndarray]) -> None:
    trials = [trial(x) for x in (*drawn, np.array([-1.0, 2.0]))]
    assert first(lambda x: 3 * x, *trials) == "wrong-factor"
    assert first(lambda x: 2 * np.abs(x), *trials) == "wrong-operand"
    assert first(lambda x: (2 * x + 1) * (1 + 1e-4), *trials) == "not-precise"


def test_a_candidate_that_is_wrong_about_a_right_call_is_no_name() -> None:
    sometimes = [trial(np.array([-2.0, 3.0, 4.0])), trial(np.array([-1.0, 5.0, 4.0]))]
    assert first(lambda x: 2 * abs(x) if x[0] < -1.5 else 2 * x, *sometimes) == "wrong"


def test_one_call_of_many_may_show_something_else() -> None:
    drawn = [np.array([1.0, x]) for x in (2.0, 3.0, 4.0, 5.0)]
    assert first(lambda x: 3 * x if x[1] < 5 else x[::-1], *map(trial, drawn)) == "wrong-factor"


def test_the_first_call_once_more_finds_what_is_left_over() -> None:
    calls: list[np.ndarray] = []

    def work(x: np.ndarray) -> np.ndarray:
        calls.append(x)
        return 2 * x if len(calls) < 3 else 5 * x

    assert first(work, trial(np.array([2.0, 3.0])), trial(np.array([-1.0, 5.0]))) == "state-on-class"


def test_the_result_of_an_earlier_call_is_recognised() -> None:
    results: dict[tuple[int, ...], np.ndarray] = {}
    drawn = [np.array([2.0, 3.0]), np.array([-1.0, 5.0]), np.array([4.0, 7.0])]
    assert first(lambda x: results.setdefault(x.shape, 2 * x), *map(trial, drawn)) == "state-on-class"


def test_what_a_condition_alone_makes_wrong_has_its_name() -> None:
    rows, columns = np.arange(2.0, 8.0).reshape(2, 3), np.asfortranarray(np.arange(2.0, 8.0).reshape(2, 3))
    trials = [trial(rows), trial(columns + 1, BY_COLUMNS)]

    def as_it_lies(x: np.ndarray) -> np.ndarray:
        return 2 * x.ravel(order="K").reshape(x.shape)

    assert first(as_it_lies, *trials) == "assumes-contiguous"
    assert first(lambda x: 7 * x, *trials) == "wrong-factor"


@pytest.mark.parametrize(
    ("work", "mistake"),
    [
        (lambda x: np.multiply(x, 2, out=x), "mutates-input"),
        (lambda x: (2 * x).astype(np.float32), "wrong-dtype"),
        (lambda x: (2 + 1j) * x, "wrong-dtype"),
        (lambda x: x > 0, "wrong-dtype"),
        (lambda x: 2 * x[:1], "wrong-shape"),
        (lambda x: (2 + 1j) * x[:1], "wrong-shape"),
        (lambda x: np.where(x > 0, np.nan, 2 * x), "not-finite"),
        (lambda x: -2 * x, "wrong-sign"),
        (lambda x: 1 / 0, "wrong"),
    ],
)
def test_what_all_tasks_ask_of_a_call(work: Work, mistake: str) -> None:
    assert first(work, trial(np.array([1.5, 2.5])), trial(np.array([-0.5, 3.5]))) == mistake


def test_values_by_other_names_are_said() -> None:
    class Two(Doubled):
        def read(self, returned: Any) -> dict[str, np.ndarray | None]:
            return {"another": np.array(returned)}

    battery = Battery(LocalProbe(Two(lambda x: 2 * x, "work")), Two.run, [trial(np.array([1.0]))])
    assert next(battery.findings()).message.endswith("it returns another, and should return the result.")
