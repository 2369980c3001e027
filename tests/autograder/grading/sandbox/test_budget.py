"""A submission's time is that in which it is waited for, its memory that of all it starts."""

import sys
import time
from types import SimpleNamespace

import pytest

from autograder.grading.sandbox import budget as budgets
from autograder.grading.sandbox.budget import MIB, Budget, Limits, TooMuchMemory
from autograder.grading.sandbox.client import Lost
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is looked at is Linux's")
HOARD = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        held = bytearray({size} << 20)
        held[::4096] = b"x" * len(held[::4096])
        time.sleep(60)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def sandbox():
    limits = Limits(seconds=20, all_memory=600 * MIB)
    with Sandbox([], Level.SANDBOX, limits, imports=()) as sandbox:
        yield sandbox


def test_what_the_autograder_needs_itself_costs_a_submission_no_time(sandbox, monkeypatch):
    late = 0
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + late)
    monkeypatch.setattr(budgets, "time", clock)
    with sandbox.session() as session:
        for _ in range(3):
            late += 100  # a verdict that takes long
            assert session.run(["print(1)"]) == [("1\n", "")]


def test_processes_that_together_take_too_much_are_stopped(sandbox):
    with sandbox.session() as session, pytest.raises(Lost, match="more than 600 MB of memory together"):
        session.run([HOARD.format(size=300)])
    with sandbox.session() as session:
        assert session.run(["print(1)"]) == [("1\n", "")]


def test_what_stays_below_is_left_alone(sandbox):
    with sandbox.session() as session:
        source = HOARD.format(size=20).replace("time.sleep(60)", "time.sleep(0.5)")
        assert session.run([source, "print(2)"])[1] == ("2\n", "")


def test_time_that_is_used_up_stays_used_up():
    budget = Budget(0.2, 10, lambda: 0)
    with budget.waiting():
        time.sleep(0.25)
    with pytest.raises(TimeoutError), budget.waiting():
        pass


def test_memory_is_looked_at_again_however_fast_the_answers_come():
    held = [0]
    budget = Budget(10, 10, lambda: held[0])
    with budget.waiting():
        pass
    held[0] = 11
    time.sleep(0.15)
    with pytest.raises(TooMuchMemory), budget.waiting():
        pass
