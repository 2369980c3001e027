"""No attack gets more than it deserves, stops a run, or changes anything outside the sandbox."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from isolation import SANDBOX, needs_filter, needs_sandbox
from tiers import first_now

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import OF_ONE, corpus
from once import once
from outside import Listener
from trial import make_course, on_the_autograder

from autograder.grading.sandbox.levels import Level

ATTACKS = {attack.name: attack for attack in corpus()}
GROUPS = {
    attack.group: [a for a in ATTACKS.values() if a.group == attack.group] for attack in ATTACKS.values()
}
SOME = [a for group in GROUPS.values() for a in [a for a in group if not a.endless and not a.alike][:1]]
PARTS = {
    "one of each group": SOME,
    "the others": [a for a in ATTACKS.values() if not a.endless and a not in SOME],
    # each of these takes all the time that it is given
    "endless": [a for a in ATTACKS.values() if a.endless],
}


@pytest.fixture(scope="session")
def made(shared):
    return once(shared / "attacked", make_course)


@pytest.fixture
def course(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "course"))


def test_each_says_what_it_tries_and_what_it_is_like():
    assert len(ATTACKS) == len(corpus()) >= 40
    assert len(HARMLESS) > 40
    assert all(attack.tries.endswith(".") for attack in ATTACKS.values())
    assert {ATTACKS[a.like].like for a in ATTACKS.values() if a.like} == {""}


@needs_sandbox
@pytest.mark.parametrize("part", first_now(PARTS))
def test_attacks_come_to_nothing(part, course):
    with Listener() as listener:
        seen = {s.attack.name: s for s in on_the_autograder(course, PARTS[part], listener)}
    assert {name: s.then for name, s in seen.items() if s.then != OF_ONE} == {}, "honest work suffers"
    assert {name: s.changed for name, s in seen.items() if s.changed} == {}, "something outside is changed"
    assert {name for name, s in seen.items() if s.graded and _runs_scripts(s.graded.text)} == set()
    gains = {name: s.fault or s.undeserved for name, s in seen.items() if s.fault or s.undeserved}
    assert gains == {}


# what would harm the machine runs in the sandbox only
HARMLESS = [attack for attack in ATTACKS.values() if attack.harmless]


# without a filter an attack can do all that it can do with one
@pytest.mark.parametrize(
    ("level", "attacks"),
    [
        pytest.param(
            Level.FILTER,
            [a for a in HARMLESS if a in SOME],
            marks=[needs_filter, *([pytest.mark.long] if SANDBOX else [])],  # else in place of the sandbox
        ),
        pytest.param(Level.PROCESS, HARMLESS, marks=pytest.mark.long),
    ],
)
def test_what_is_forged_gets_no_more_where_isolation_is_weaker(level, attacks, course):
    assert attacks
    with Listener() as listener:
        seen = {s.attack.name: s for s in on_the_autograder(course, attacks, listener, level)}
    cells = [s.graded.cells[0] for s in seen.values() if s.graded and s.graded.cells]
    seeds = [cell.result["seed"] for cell in cells if "seed" in cell.result]
    assert len({*seeds}) == len(seeds), "one submission is tried with the numbers of another"
    assert {name: s.then for name, s in seen.items() if s.then != OF_ONE} == {}, "honest work suffers"
    assert {name: s.changed for name, s in seen.items() if s.changed} == {}, "something outside is changed"
    gains = {name: s.fault or s.undeserved for name, s in seen.items() if s.fault or s.undeserved}
    assert gains == {}


def _runs_scripts(text: str) -> bool:
    """Return whether a page made from the autograded notebook would run what the submission has printed."""
    outputs = [o for cell in json.loads(text)["cells"] for o in cell.get("outputs", [])]
    shown = "".join(str(o.get("data", {}).get("text/html", "")) for o in outputs).lower()
    kinds = {mime for o in outputs for mime in o.get("data", {})}
    # streams are plain text, which nbconvert escapes
    odd = {"application/javascript", "text/markdown", "text/latex", "image/svg+xml"}
    return "<script" in shown or "<img" in shown or bool(kinds & odd)
