"""A submission's time is that in which it is waited for, its memory that of all it starts."""

import sys
import time
from types import SimpleNamespace

import pytest
from isolation import LEVEL, LEVEL_WITH_PROCESSES

from autograder.grading.sandbox import budget as budgets
from autograder.grading.sandbox.budget import MIB, Budget, Limits, TooMuch
from autograder.grading.sandbox.client import Loss
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
    with Sandbox([], LEVEL_WITH_PROCESSES, limits, imports=()) as sandbox:
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
    with (
        sandbox.session() as session,
        pytest.raises(Loss, match="more than 600 MB of memory together"),
    ):
        session.run([HOARD.format(size=300)])
    with sandbox.session() as session:
        assert session.run(["print(1)"]) == [("1\n", "")]


def test_what_stays_below_is_left_alone(sandbox):
    with sandbox.session() as session:
        source = HOARD.format(size=20).replace("time.sleep(60)", "time.sleep(0.5)")
        assert session.run([source, "print(2)"])[1] == ("2\n", "")


WITHOUT_A_LEADER = """
import ctypes, os, threading, time

def hold():
    held = bytearray(700 << 20)
    held[::4096] = b"x" * len(held[::4096])
    time.sleep(60)

if os.fork() == 0:
    threading.Thread(target=hold).start()
    ctypes.CDLL(None).pthread_exit(None)
time.sleep(60)
"""


def test_memory_that_a_thread_holds_after_its_process_seems_to_have_ended_counts(sandbox):
    with (
        sandbox.session() as session,
        pytest.raises(Loss, match="more than 600 MB of memory together"),
    ):
        session.run([WITHOUT_A_LEADER])


FLOOD = """
import os, struct
for fd in range(3, 40):
    try:
        while True: os.write(fd, {frame})
    except OSError: pass
"""


def test_a_frame_larger_than_any_answer_ends_the_conversation(sandbox):
    frame = "struct.pack('>QQQ', 1 << 22, 0, 1) + b' ' * (1 << 22)"
    with sandbox.session() as session, pytest.raises(Loss, match="more than was requested"):
        session.run([FLOOD.format(frame=frame)])


def test_what_is_sent_counts_over_all_processes_of_a_submission():
    limits = Limits(seconds=20, sent=MIB)
    with Sandbox([], LEVEL, limits, imports=()) as sandbox, sandbox.submission():
        for _ in range(3):
            with sandbox.session() as session:
                told = ""
                try:
                    for _ in range(50):
                        session.run(["print('x' * 10_000)"])
                except Loss as loss:
                    told = str(loss)
    assert "sent more than 1 MB" in told


def test_time_counts_over_all_processes_of_a_submission():
    limits = Limits(seconds=3, all_seconds=4)
    with Sandbox([], LEVEL, limits, imports=()) as sandbox:
        with sandbox.session():
            pass  # it is there before any submission's time begins
        with sandbox.submission():
            for expected in ("3 seconds", "1 seconds"):
                with (
                    sandbox.session() as session,
                    pytest.raises(Loss, match=f"longer than {expected}"),
                ):
                    session.run(["import time\nwhile True: time.sleep(1)"])


def test_time_that_is_used_up_stays_used_up():
    budget = Budget(0.2, 10, lambda: False)
    with budget.waiting():
        time.sleep(0.25)
    with pytest.raises(TimeoutError), budget.waiting():
        pass


def test_memory_is_looked_at_again_however_fast_the_answers_come():
    exceeded = []
    budget = Budget(10, 10, lambda: bool(exceeded))
    with budget.waiting():
        pass
    exceeded.append(True)
    time.sleep(0.15)
    with pytest.raises(TooMuch), budget.waiting():
        pass
