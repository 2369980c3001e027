"""What a submission sees of the autograder, looked up from inside: the modules of the allow-list alone."""

import ast
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from isolation import LEVEL, needs_sandbox
from torch.autograd import Function

from autograder.exercises import EXERCISES
from autograder.grading.sandbox import visible_files
from autograder.grading.sandbox.sandbox import Sandbox
from autograder.project import ROOT
from vjpcheck.result import CannotRun

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
FILES = {str(path) for path in visible_files.files()}
MODULES = [path for path in visible_files.files() if path.suffix == ".py"]
ANSWERS = ("verdict", "truth", "judge", "checks", "naming", "render", "report", "lookalikes", "points")
FOR_STUDENTS = ("eight_bugs", "mistakes")  # the bugs that they are to find, and the names to choose from
LISTS = (list, tuple, set, frozenset)
LABEL = re.compile(r"(?<![a-z])(right|wrong|true|false|correct|mistaken?|bad|good)(?![a-z])", re.IGNORECASE)


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox([*EXERCISES.values()], LEVEL) as sandbox:
        yield sandbox


@pytest.fixture
def said(sandbox):
    """Run a cell in a new process and return what it printed, read as a Python literal."""

    def run(source: str) -> object:
        with sandbox.session() as session:
            ((printed, stopped),) = session.run([source])
        assert not stopped
        return ast.literal_eval(printed)

    return run


def test_the_list_names_files_that_are_there_and_no_answers():
    assert all(path.is_file() for path in visible_files.files())
    parts = {part for path in visible_files.files() for part in path.relative_to(ROOT).with_suffix("").parts}
    assert not parts.intersection(ANSWERS)
    exercises = [path.stem for path in visible_files.files() if path.parent.name == "exercises"]
    assert exercises == ["eight_bugs"]  # whose bugs students are to find


@needs_sandbox
def test_the_file_system_holds_the_modules_of_the_list_and_nothing_else(said):
    files = "[f'{d}/{f}' for p in ('autograder', 'vjpcheck') for d, _, fs in os.walk(p) for f in fs]"
    walk = f"import os; os.chdir({str(ROOT)!r}); print({files})"
    assert {f"{ROOT}/{path}" for path in said(walk)} == FILES
    beside = set(said(f"import os; print(os.listdir({str(ROOT)!r}))"))
    assert beside - {".venv"} == {"autograder", "course", "vjpcheck"}  # Python itself may lie there


def test_no_module_of_the_autograder_can_be_found_to_be_patched(said):
    names = "import sys; print([name for name in sys.modules if name.startswith(('autograder', 'vjpcheck'))])"
    assert said(names) == ["autograder", "vjpcheck"]


@needs_sandbox
def test_memory_holds_no_other_module_of_the_autograder(said):
    modules = """
import gc, types
gc.unfreeze()
files = [vars(o).get("__file__") for o in gc.get_objects() if type(o) is types.ModuleType]
print([file for file in files if file and ("/autograder/" in file or "/vjpcheck/" in file)])
"""
    found = set(said(modules))
    assert f"{ROOT}/vjpcheck/ask/wire.py" in found  # the search finds what is there
    assert found <= FILES


def test_the_list_has_all_that_every_probe_imports(sandbox):
    for exercise in EXERCISES.values():
        with sandbox.session() as session, pytest.raises(CannotRun) as refusal:
            session.open(exercise.subject, "None")
        assert "No module" not in str(refusal.value)
        assert "no attribute" not in str(refusal.value)


def imported(path: Path) -> ModuleType:
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def test_no_name_and_no_key_that_a_submission_can_import_says_right_or_wrong():
    for path in MODULES:
        if path.stem not in FOR_STUDENTS:
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            keys = [key for node in tree if isinstance(node, ast.Dict) for key in node.keys]
            labels = [
                *vars(imported(path)),
                *(str(key.value) for key in keys if isinstance(key, ast.Constant)),
            ]
            assert not [label for label in labels if LABEL.search(label)], path


def test_no_module_that_a_submission_can_import_holds_functions_to_be_judged():
    """With a collection of Functions, one could look up the Function that is asked about."""
    for path in MODULES:
        if path.stem not in FOR_STUDENTS:
            for name, value in vars(imported(path)).items():
                things = value.values() if isinstance(value, dict) else value if type(value) in LISTS else ()
                owners = [getattr(thing, "__self__", thing) for thing in things]
                found = [one for one in owners if isinstance(one, type) and issubclass(one, Function)]
                assert not found, f"{path}: {name}"
