"""Where a control group may be made, the kernel counts what a submission holds, wherever it is hidden.

To run this: systemd-run --user --scope -p Delegate=yes .venv/bin/pytest -p no:xdist THIS_FILE
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from isolation import needs_sandbox
from waiting import until

from autograder.grading.sandbox import cgroup
from autograder.grading.sandbox.budget import MIB, Limits
from autograder.grading.sandbox.client import Loss
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox

pytestmark = needs_sandbox


@pytest.fixture(scope="module")
def place():
    """Return the folder of the group below which groups are made."""
    made = cgroup.groups(1, MIB)
    if not made:
        pytest.skip("no control groups may be made here: no memory controller of cgroup v2 is delegated")
    (group,) = made
    folder = Path(os.readlink(f"/proc/self/fd/{group.entry}")).parents[1]
    group.close()
    return folder


@pytest.fixture
def sandbox(place):
    with Sandbox(
        [], Level.SANDBOX, Limits(seconds=300, all_seconds=300, all_memory=300 * MIB), imports=()
    ) as sandbox:
        yield sandbox


IN_THREADS = """
import ctypes, os, threading, time

def hold():
    held = bytearray(100 << 20)
    held[::4096] = b"x" * len(held[::4096])
    time.sleep(60)

for _ in range(4):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).pthread_exit(None)
time.sleep(60)
"""
SHARED = """
import mmap, os, time
for _ in range(4):
    shared = mmap.mmap(-1, 100 << 20)
    shared[::4096] = b"x" * len(shared[::4096])
    if os.fork() == 0:
        time.sleep(60)
    shared.close()  # the child alone keeps it
time.sleep(60)
"""


@pytest.mark.parametrize("source", [IN_THREADS, SHARED])
def test_hidden_memory_ends_all_of_a_submission_and_none_of_its_neighbour(sandbox, source):
    with Sandbox([], Level.SANDBOX, imports=()) as other, other.session() as neighbour:
        neighbour.run(["held = bytearray(b'x') * (200 << 20)"])
        with (
            sandbox.session() as session,
            pytest.raises(Loss, match="more than 300 MB of memory together"),
        ):
            session.run([source])
        assert neighbour.run(["print(len(held) >> 20)"]) == [("200\n", "")]
    with sandbox.session() as session:
        assert session.run(["print(1)"]) == [("1\n", "")]


def test_what_one_submission_held_is_not_counted_for_the_next(sandbox):
    for _ in range(4):
        with sandbox.session() as session:
            assert session.run(["held = bytearray(b'x') * (200 << 20)\nprint(1)"]) == [("1\n", "")]


def test_the_groups_go_with_the_sandbox(place):
    before = set(place.iterdir())
    with Sandbox([], Level.SANDBOX, imports=()) as sandbox, sandbox.session():
        assert len(set(place.iterdir()) - before) == 2
    assert set(place.iterdir()) == before


STAYS = """
import time
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox
with Sandbox([], Level.SANDBOX, imports=()) as sandbox, sandbox.session():
    print("ready", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_grader_has_left_is_removed(place):
    before = set(place.iterdir())
    with subprocess.Popen([sys.executable, "-c", STAYS], stdout=subprocess.PIPE) as grader:
        assert grader.stdout.readline() == b"ready\n"
        assert len(set(place.iterdir()) - before) == 2
        grader.send_signal(signal.SIGKILL)
    cgroup.remove_leftovers()
    assert until(lambda: set(place.iterdir()) == before)
