"""No attack gets more than it deserves, stops a run, or changes anything outside the sandbox."""

import json
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import BY_NATIVE_AUTOGRAD, DESERVED, FULL, corpus
from once import once
from outside import Listener
from trial import make_course, on_the_autograder

from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import strongest

ATTACKS = corpus()


@pytest.fixture(scope="session", autouse=True)
def sandbox_there():
    level, why = strongest()
    if level is not Level.SANDBOX:
        pytest.skip(f"this machine cannot isolate submissions: {why}")


@pytest.fixture(scope="session")
def made(shared):
    return once(shared / "attacked", make_course)


@pytest.fixture
def course(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "course"))


def test_there_are_at_least_forty_and_each_says_what_it_tries():
    assert len(ATTACKS) >= 40
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    assert {attack.name for attack in ATTACKS} >= BY_NATIVE_AUTOGRAD
    assert all(attack.tries.endswith(".") or attack.tries for attack in ATTACKS)


# each of the endless takes all the time that it is given
@pytest.mark.parametrize("endless", [False, pytest.param(True, marks=pytest.mark.long)])
def test_attacks_come_to_nothing(endless, course):
    chosen = [attack for attack in ATTACKS if (attack.group == "endless") == endless]
    with Listener() as listener:
        seen = {s.attack.name: s for s in on_the_autograder(course, chosen, listener)}
    faults = {name: s.fault for name, s in seen.items() if s.fault}
    assert not faults, "the autograder itself failed"
    assert {name: s.then for name, s in seen.items() if s.then != FULL} == {}, "honest work suffers"
    assert {name: s.changed for name, s in seen.items() if s.changed} == {}, "something outside is changed"
    assert {name: s.score for name, s in seen.items() if s.score > DESERVED} == {}
    assert {name for name, s in seen.items() if _runs_scripts(s.graded.text)} == set()
    for name in BY_NATIVE_AUTOGRAD & set(seen):
        found = seen[name].graded.cells[0].result["findings"]
        assert [finding["mistake"] for finding in found] == ["autograd-in-backward"], name
        assert seen[name].needs_person, name
        assert "points are withheld" in seen[name].graded.cells[0].comment


def _runs_scripts(text: str) -> bool:
    """Return whether a page made from the autograded notebook would run what the submission has printed."""
    outputs = [o for cell in json.loads(text)["cells"] for o in cell.get("outputs", [])]
    shown = "".join(str(o.get("data", {}).get("text/html", "")) for o in outputs).lower()
    kinds = {mime for o in outputs for mime in o.get("data", {})}
    # streams are plain text, which nbconvert escapes
    odd = {"application/javascript", "text/markdown", "text/latex", "image/svg+xml"}
    return "<script" in shown or "<img" in shown or bool(kinds & odd)
