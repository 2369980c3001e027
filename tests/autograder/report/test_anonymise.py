"""What could say whose work it is goes; what the work is about stays."""

import ast

import pytest

from autograder.report.anonymise import Anonymiser
from autograder.report.classroom import Classroom, Student

GIVEN = 'import torch\n\n\ndef pool(x, kind="mean"):\n    return x\n'


@pytest.fixture
def hidden():
    students = (
        Student("m4711042", "Max Grünwald", ("m4711042", "Max", "Grünwald", "max.g")),
        Student("jo", "", ("jo",)),
    )
    return Anonymiser(Classroom("a", (), students, (), (GIVEN,)))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("x = 1  # Grünwald", "x = 1"),
        ('def f():\n    """By Grünwald."""', "def name_1():\n    pass"),
        ('x = "some remark"', "x = '…'"),
        ('x = pool(y, "mean")', "x = pool(y, 'mean')"),
        ('x = einsum("ij,jk->ik", a, b)', "x = einsum('ij,jk->ik', a, b)"),
        ('x = f"{y} by me"', "x = '…'"),
        ("grünwalds = 2\nprint(grünwalds)", "name_1 = 2\nprint(name_1)"),
        ("from max_grünwald import y as grünwald", "from name_1 import y as name_2"),
        ("def f(*, grünwald=1):\n    global grünwald", "def name_1(*, name_2=1):\n    global name_2"),
        ("x = 4711042", "x = 4711042"),
        ("mine = x.relu() + other", "name_1 = x.relu() + other"),
        ("x.max(dim=1)", "x.max(dim=1)"),
        ("x = b'Max'", "x = b'?'"),
        ("%matplotlib inline", ""),
        ("def broken(:", ""),
        ("x = " + " + ".join(["1"] * 3000), ""),
        ("x = " + "(" * 500 + ")" * 500, ""),
        ("x = 1\x00", ""),
        ("x = 1\n" * 100_000, ""),
    ],
)
def test_source(hidden, given, shown):
    assert hidden.source(given) == shown


def test_what_is_shown_is_still_python(hidden):
    source = "class Grünwald(Function):\n    'doc'\n    def backward(ctx, g):\n        'doc'\n"
    ast.parse(hidden.source(source))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("backward returns 1 value for 3 arguments.", "backward returns 1 value for 3 arguments."),
        ("It has the name grünwalds_mask here.", "It has the name … here."),
        ("backward raised ValueError (line 3: raise ValueError('me')): me", "backward raised ValueError."),
    ],
)
def test_message(hidden, given, shown):
    assert hidden.message(given) == shown
