"""`python -m benchmarks.wild`: finds the Functions of a checkout and checks those that have a recipe."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent))

from benchmarks import wild
from benchmarks.wild_recipes import ALL, Recipe

FILE = """\
import unheard_of
from torch.autograd import Function
from torch.autograd.function import InplaceFunction
from torch.overrides import TorchFunctionMode

class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x
    @staticmethod
    def backward(ctx, grad_output):
        return {factor} * grad_output

class Quadruple(Double):
    @staticmethod
    def forward(ctx, x):
        return unheard_of.quadruple(x)

class Inplace(InplaceFunction):
    def forward(ctx, x):
        return x

class Constant(Function):
    pass

class Mode(TorchFunctionMode):
    def forward(self):
        pass
"""
RECIPE = Recipe("owner/name", "pack/file.py", "Double", "torch.randn(3)")


@pytest.fixture
def checkout(tmp_path):
    """Return the function that writes a checkout in which the gradient has a factor."""

    def write(factor):
        (tmp_path / "pack").mkdir()
        (tmp_path / "pack" / "__init__.py").write_text("import broken_package_that_is_not_run")
        (tmp_path / "pack" / "file.py").write_text(FILE.format(factor=factor))
        (tmp_path / "pack" / "python2.py").write_text("print 'no syntax of today'")
        return tmp_path

    return write


def test_it_finds_the_classes_with_a_forward_that_are_functions(checkout):
    assert [name for _, name in wild.functions(checkout(2))] == ["Double", "Quadruple", "Inplace"]


@pytest.mark.parametrize(("factor", "said"), [(2, "right: nothing found"), (3, "wrong: wrong-factor")])
def test_it_says_what_the_command_line_finds_where_packages_are_missing(checkout, factor, said):
    assert wild.check(RECIPE, checkout(factor), [], with_reference=False) == said


def test_it_compares_with_the_reference_of_a_recipe(checkout):
    recipe = Recipe("owner/name", "pack/file.py", "Double", "torch.randn(3)", soft="3 * inputs[0]")
    assert wild.check(recipe, checkout(3), [], with_reference=True) == "right: nothing found"


def test_it_says_when_a_module_cannot_be_run(checkout):
    recipe = Recipe("owner/name", "pack/file.py", "Double", "torch.randn(3)", setup="1 / 0")
    said = wild.check(recipe, checkout(2), [], with_reference=False)
    assert said.startswith("refused: ")
    assert "ZeroDivisionError" in said


def test_no_two_recipes_are_of_the_same_name():
    assert len({recipe.key for recipe in ALL}) == len(ALL)
