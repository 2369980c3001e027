"""What is sent ahead follows from the exercise and the seed: it tells nothing of the solution rehearsed with.

Other right work, whose answers have other last digits, is asked the same.
"""

import io
from pathlib import Path

import pytest

from autograder import wire
from autograder.exercises import EXERCISES, find
from autograder.grading.rehearsal import steady
from autograder.submission import load

from .right_work import RIGHT

SEED = 11


class Recording:
    """A probe that keeps what it is asked."""

    apart = False

    def __init__(self, probe, record) -> None:
        self._probe, self._record = probe, record

    def __getattr__(self, method):
        def ask(*arguments):
            self._record[-1].append(wire.encode([method, arguments]))
            return getattr(self._probe, method)(*arguments)

        return ask


def _sections(name: str, path: Path) -> list[list[bytes]]:
    exercise = find(name)

    def probe(record):
        return Recording(exercise.probe(load(path, exercise.object_name)), record)

    return steady(exercise, probe, SEED)


@pytest.mark.parametrize("name", [name for name in EXERCISES if RIGHT[name]])
def test_right_work_is_asked_the_same_as_far_as_it_does_the_same(name):
    """What declares itself once differentiable, say, is asked less; numbers alone never differ."""
    first, *others = (_sections(name, path) for path in RIGHT[name][:3])
    assert sum(map(len, first)) > 0
    for other in others:
        for asked, asked_first in zip(other, first, strict=True):
            pairs = zip(asked, asked_first, strict=False)
            different = next((pair for pair in pairs if pair[0] != pair[1]), None)
            assert different is None or _text(different[0]) != _text(different[1])


def _text(frame: bytes) -> bytes:
    """Return which method is asked, with arguments of which shapes."""
    return wire.Frame.read(io.BytesIO(frame)).text


def test_what_follows_from_an_answer_is_left_out():
    """In a training loop each step's input comes from the gradient before it: from the truth."""
    exercise = find("kill_head")
    by_check = dict(zip(exercise.points, _sections("kill_head", RIGHT["kill_head"][0]), strict=False))
    asked = [[]]
    probe = Recording(exercise.probe(load(RIGHT["kill_head"][0], exercise.object_name)), asked)
    for _ in exercise.judge(probe, SEED):
        asked.append([])
    training = asked[list(exercise.points).index("training loop")]
    assert len(by_check["training loop"]) < len(training)
    assert by_check["gradient"] == asked[list(exercise.points).index("gradient")]
