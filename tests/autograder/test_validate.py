"""nbgrader's own Validate says what is wrong with an exercise, and autograding gives its points as ever."""

import nbformat
import pytest
from made_course import ASSIGNMENT, NOTEBOOK, cell
from nbgrader.validator import Validator
from shipped import ROOT

pytestmark = pytest.mark.long

RIGHT, WRONG, UNTOUCHED = "abs_product", "affine", "linear"


@pytest.fixture(scope="module")
def failed(tmp_path_factory):
    """Return what Validate says of each graded cell that fails, by its source."""
    handed_out = nbformat.read(ROOT / "exercises" / ASSIGNMENT / NOTEBOOK, as_version=4)
    solved = nbformat.read(ROOT / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    for exercise in (RIGHT, WRONG):
        cell(handed_out, exercise).source = cell(solved, exercise).source
    wrong = cell(handed_out, WRONG)
    assert "ctx.scale, None, None" in wrong.source
    wrong.source = wrong.source.replace("ctx.scale, None, None", "ctx.scale * 2, None, None")
    path = tmp_path_factory.mktemp("validate") / NOTEBOOK
    nbformat.write(handed_out, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        return {one["source"]: one["raw_error"] for one in Validator().validate(str(path))["failed"]}


def test_a_mistake_has_its_name_and_a_sentence(failed):
    told = failed['grade("affine", Affine)']
    assert told.startswith(
        "affine: not yet right (gradient: wrong-factor), 2 of 3 points\n[wrong-factor] The "
    )
    assert "Traceback" not in told


def test_an_untouched_exercise_is_not_started(failed):
    assert failed['grade("linear", Linear)'] == "linear: not started, 0 of 5 points"


def test_what_is_right_is_not_among_them(failed):
    assert 'grade("abs_product", AbsProduct)' not in failed
