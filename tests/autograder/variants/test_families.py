"""Members of families: solved by their own solution, not by the course's; mistakes have the same names."""

from __future__ import annotations

import functools
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import torch
from run_seed import RUN_SEED
from tiers import first_now
from torch.autograd import Function

from autograder.check import judge, local_probe
from autograder.exercise import Exercise, FunctionExercise
from autograder.exercises import EXERCISES, FAMILIES, find
from autograder.other_variant import is_of_other_variant
from autograder.variants.draw import draw
from autograder.variants.texts import texts
from vjpcheck.result import Result

ROOT = Path(__file__).resolve().parents[3]
SEEDS = first_now(["2027", *(str(RUN_SEED + number) for number in range(1, 6))])
NAMES = """
from collections.abc import Callable
from typing import Any
import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional
"""


@functools.cache
def drawn(family: str, seed: str) -> Exercise:
    return draw([family], seed)[family]


@functools.cache
def own_solution(family: str, seed: str):
    exercise = drawn(family, seed)
    return defined(texts(exercise)["solution"], exercise.object_name)


@functools.cache
def course_solution(family: str):
    (path,) = ROOT.glob(f"solutions/{FAMILIES[family].shipped.lesson:02}-*/*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    source = next((cell.source for cell in cells if cell.id == family), None)
    if source is None:
        pytest.skip(f"{family} was dropped from the course's notebook")
    return defined(source, EXERCISES[family].object_name)


def defined(source: str, name: str):
    names: dict[str, object] = {}
    exec(NAMES + source, names)
    return names[name]


def judged(exercise: Exercise, work: object) -> Result:
    return judge(exercise, local_probe(exercise, work), RUN_SEED)


@pytest.mark.parametrize(("lesson", "families"), {4: 4, 5: 1, 6: 4, 7: 4, 8: 1, 9: 4, 10: 1, 11: 1}.items())
def test_a_lesson_has_its_families_with_fifty_members_each(lesson, families):
    of_lesson = [family for family in FAMILIES.values() if family.shipped.lesson == lesson]
    assert len(of_lesson) >= families
    assert min(len(family.members) for family in of_lesson) >= 50


@pytest.mark.parametrize("name", FAMILIES)
def test_an_id_names_one_member_and_no_exercise_of_the_course(name):
    family = FAMILIES[name]
    assert not family.members.keys() & EXERCISES.keys()
    assert len({tuple(chosen.values()) for chosen in family.members.values()}) == len(family.members)
    for member_id in random.Random(0).sample([*family.members], 5):
        found = find(member_id)
        assert (found.id, found.family, dict(found.chosen)) == (member_id, name, family.members[member_id])
        assert dict(found.points) == dict(family.shipped.points)


def test_the_id_of_no_member_is_refused():
    with pytest.raises(ValueError, match="There is no exercise 'kill_head_000000'"):
        find("kill_head_000000")


def test_a_seed_and_a_student_draw_the_same_whoever_else_there_is():
    everything = draw(FAMILIES, "2027", "ada")
    assert draw(["cube"], "2027", "ada")["cube"].id == everything["cube"].id
    others = {draw(["cube"], "2027", f"student {number}")["cube"].id for number in range(40)}
    assert len(others) > 20


@pytest.mark.parametrize("name", FAMILIES)
def test_code_is_no_wider_than_in_the_course(name):
    """Ruff holds the course's notebooks to that width."""
    columns = tomllib.loads((ROOT / "tools" / "notebooks.toml").read_text())["line-length"]
    for member_id in random.Random(0).sample([*FAMILIES[name].members], 15):
        sections = texts(find(member_id))
        code = "\n".join(sections.get(section, "") for section in ("solution", "training"))
        assert [line for line in code.splitlines() if len(line) > columns] == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_a_member_is_solved_by_its_own_solution(name, seed):
    result = judged(drawn(name, seed), own_solution(name, seed))
    assert result.passed, (drawn(name, seed).chosen, result.findings)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", FAMILIES)
def test_the_solution_of_the_course_is_said_to_be_that(name, seed):
    result = judged(drawn(name, seed), course_solution(name))
    assert is_of_other_variant(result), result.findings
    assert result.score == 0


@pytest.mark.parametrize("name", [name for name in FAMILIES if isinstance(EXERCISES[name], FunctionExercise)])
def test_the_solution_of_another_member_is_said_to_be_that(name):
    own, other = (
        drawn(name, "2027"),
        next(each for seed in range(100) if (each := drawn(name, str(seed))).unlike(drawn(name, "2027"))),
    )
    result = judged(own, defined(texts(other)["solution"], other.object_name))
    assert is_of_other_variant(result), result.findings
    assert own.summary in result.findings[0].message


def changed(work: type[Function], what: str) -> type[Function]:
    """Return a Function like another one, with a mistake."""

    class Changed(Function):
        @staticmethod
        def forward(ctx, *arguments):
            outputs = work.forward(ctx, *arguments)
            if what == "another value":
                return tuple(2.5 + y for y in outputs) if isinstance(outputs, tuple) else 2.5 + outputs
            return outputs

        @staticmethod
        def backward(ctx, *cotangents):
            if what == "no cotangent":
                cotangents = tuple(None if given is None else torch.ones_like(given) for given in cotangents)
            gradients = work.backward(ctx, *cotangents)
            found = list(gradients) if isinstance(gradients, tuple) else [gradients]
            if what == "too many":
                return *found, torch.ones(())
            place = next((i for i, gradient in enumerate(found) if gradient is not None), None)
            if place is None:
                return gradients
            if what == "a wrong sign":
                found[place] = -found[place]
            elif what == "twice too large":
                found[place] = 2 * found[place]
            elif what == "single precision":
                found[place] = found[place].float()
            elif what == "cut off":
                found[place] = found[place].detach()
            elif what == "missing":
                found[place] = None
            return tuple(found) if isinstance(gradients, tuple) else found[0]

    return Changed


MISTAKES = ("another value", "a wrong sign", "twice too large")
MORE_MISTAKES = ("no cotangent", "too many", "single precision", "cut off", "missing")


def of_functions() -> Iterator[object]:
    for name in FAMILIES:
        if isinstance(EXERCISES[name], FunctionExercise):
            modifies = bool(EXERCISES[name].subject.modifies)  # where a new value is a new tensor too
            yield from (pytest.param(name, what) for what in MISTAKES[modifies:])
            yield from (pytest.param(name, what, marks=pytest.mark.long) for what in MORE_MISTAKES)


@pytest.mark.parametrize(("name", "what"), of_functions())
def test_a_mistake_has_the_same_name_as_in_the_course(name, what):
    course = judged(EXERCISES[name], changed(course_solution(name), what))
    member = judged(drawn(name, "2027"), changed(own_solution(name, "2027"), what))
    assert not course.passed
    assert {f.mistake for f in member.findings} == {f.mistake for f in course.findings}
