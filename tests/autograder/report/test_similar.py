"""`autograder similar` finds copies, also renamed and reordered ones, and no independent work."""

import ast
import random
import re

import pytest
import submissions

from autograder.exercises import EXERCISES
from autograder.report.similar import SOLUTIONS, groups

TASKS = ("logsumexp", "softmax", "layer_norm", "attention")


def code(submission):
    return submission.source.partition("\n")[2]


def made_class(tasks, count, seed=0):
    """Give each student right work on each task, drawn from all but the one that solutions/ has."""
    chance = random.Random(seed)
    works = {task: [code(one) for one in submissions.right(task)] for task in tasks}
    made = {SOLUTIONS: {task: works[task].pop(0) for task in tasks}}
    for number in range(count):
        made[f"s{number}"] = {task: chance.choice(works[task]) for task in tasks}
    return made


def rewritten(source):
    """Return code with other names of variables, the methods in the other order, and no comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.body.reverse()
    given = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    text = ast.unparse(tree)
    return re.sub(rf"\b({'|'.join(given) or '-'})\b", r"my_\1", text) if given else text


def members(found):
    return {frozenset(group.members) for group in found}


@pytest.mark.parametrize("copied", [lambda source: source, rewritten, lambda source: f"print('a')\n{source}"])
def test_copies_are_one_group_with_what_they_copy(copied):
    hand_ins = made_class(TASKS, 60)
    copies = [f"c{number}" for number in range(9)]
    for name in copies:
        hand_ins[name] = {task: copied(source) for task, source in hand_ins[SOLUTIONS].items()}
    hand_ins["d0"] = {task: copied(source) for task, source in hand_ins["s5"].items()}
    assert {SOLUTIONS, *copies} in members(groups(hand_ins, {}))


def test_a_class_that_copies_as_a_whole_is_found():
    hand_ins = made_class(TASKS, 0)
    hand_ins |= {
        f"c{number}": {t: rewritten(s) for t, s in hand_ins[SOLUTIONS].items()} for number in range(8)
    }
    assert members(groups(hand_ins, {})) == {frozenset(hand_ins)}


@pytest.mark.parametrize("lesson", range(1, 13))
def test_independent_work_is_not_listed(lesson):
    """Two who drew the same text for several tasks are alike, of course; solutions/ is like nobody."""
    tasks = [e.id for e in EXERCISES.values() if e.lesson == lesson and e.id != "find_the_bugs"]
    hand_ins = made_class(tasks, 40)
    for group in groups(hand_ins, {}):
        assert SOLUTIONS not in group.members
        one, other, *_ = (hand_ins[name] for name in group.members)
        assert sum(one[task] == other[task] for task in tasks) >= len(tasks) / 3


def test_what_was_released_and_what_everybody_writes_is_no_copy():
    stub = "class Cube(Function):\n    def forward(ctx, x):\n        raise NotImplementedError()\n"
    alike = stub.replace("raise NotImplementedError()", "ctx.save_for_backward(x)\n        return x * x * x")
    tasks = ("softmax", "layer_norm", "attention")
    hand_ins = made_class(tasks, 30)
    for name, parts in hand_ins.items():
        parts["cube"] = stub if name == "s3" else alike
    for group in groups(hand_ins, {"cube": stub}):  # who drew the same texts
        one, other, *_ = (hand_ins[name] for name in group.members)
        assert one == other
    assert not groups({name: {"cube": parts["cube"]} for name, parts in hand_ins.items()}, {"cube": stub})
