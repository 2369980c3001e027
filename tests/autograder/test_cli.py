"""The command line, as a user runs it: exit statuses, text, JSON lines."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import submissions
from tiers import first_now

from autograder.cli import main

RIGHT = """
from torch.autograd import Function

class Affine(Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.scale = scale
        return x * scale + shift

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.scale, None, None
"""
WRONG = RIGHT.replace("grad_output * ctx.scale, None, None", "grad_output * ctx.scale")
IN_NUMPY = submissions.named("engine_mul/from_the_lesson").source


def as_a_program(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "autograder", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def autograder(capsys):
    """Run a command here, which is quicker; the work that it checks has a process of its own all the same."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

    return run


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def notebook(*cells: str) -> str:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return nbformat.writes(made)


def test_list_shows_every_exercise_and_no_traceback():
    done = as_a_program("list")
    assert done.returncode == 0
    for exercise in ("adjoints_log_product", "reverse_sweep", "kill_head", "linear"):
        assert exercise in done.stdout
    assert "(x, weight, bias?)" in done.stdout


def test_a_reader_that_leaves_sees_no_traceback():
    """As in `autograder list | head -1`."""
    command = [sys.executable, "-u", "-m", "autograder", "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as listing:
        assert listing.stdout.readline().startswith("Lesson 1: ")
        listing.stdout.close()
        assert listing.stderr.read() == ""


def test_right_work_exits_with_0_and_what_it_prints_is_shown(autograder, write):
    printing = RIGHT.replace(
        "        return grad_output", "        print('seen', grad_output.ndim)\n        return grad_output"
    )
    done = autograder("check", "affine", write("work.py", printing))
    assert done.returncode == 0
    assert "affine: all right, 3 of 3 points" in done.stdout
    assert "seen 2" in done.stdout


def test_wrong_work_exits_with_1_and_is_explained(autograder, write):
    done = autograder("check", "affine", write("work.py", WRONG))
    assert done.returncode == 1
    assert "[too-few-gradients] backward returns 1 value for 3 arguments" in done.stdout
    assert "Hint:" in done.stdout


def test_the_worst_status_of_several_files_counts(autograder, write):
    wrong, right = write("wrong.py", WRONG), write("right.py", RIGHT)
    assert autograder("check", "affine", wrong, right).returncode == 1


def test_json_is_one_object_a_line_for_each_file(autograder, write):
    files = [write("none.py", "x = 1"), write("wrong.py", WRONG), write("right.py", RIGHT)]
    done = autograder("check", "affine", "--json", *files)
    assert done.returncode == 2  # the worst of the three
    none, wrong, right = map(json.loads, done.stdout.splitlines())
    assert [answer["file"] for answer in (none, wrong, right)] == list(map(str, files))
    keys = {"name", "passed", "score", "max_score", "findings", "never_ran", "seconds", "file"}
    keys |= {"checks", "compared_with", "versions"}
    assert set(right) == set(wrong) == keys
    assert set(none) == keys | {"error"}
    assert (right["passed"], right["score"], right["max_score"], right["findings"]) == (True, 3, 3, [])
    assert (wrong["passed"], wrong["score"]) == (False, 1)
    (finding,) = wrong["findings"]
    assert set(finding) == {"mistake", "check", "input", "message", "hint", "warning", "numbers"}
    assert (finding["mistake"], finding["check"]) == ("too-few-gradients", "contract")
    assert none["error"] == f"{files[0]} does not define Affine."


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("work.py", "def broken(:\n", "has a syntax error in line 1"),
        (
            "work.py",
            "import no_such_module\n",
            "cannot be imported: ModuleNotFoundError (line 1: import no_such_module)",
        ),
        ("work.py", IN_NUMPY + "int('one')\n", "cannot be imported: ValueError"),
        ("work.py", "other = 1\n", "does not define EngineMul"),
        ("work.py", b"\xff\xfe\x00", "cannot be read"),
        ("work.py", IN_NUMPY + "import os\nos._exit(0)\n", "ended its own process (exit status 0)"),
        ("work.ipynb", "{}", "is not a readable notebook"),
        (
            "work.ipynb",
            notebook("x = 1", "1 / 0"),
            "does not define EngineMul. Code cell 2 raised an error: ZeroDivisionError",
        ),
    ],
)
def test_what_cannot_be_run_exits_with_2_and_one_sentence(autograder, write, name, content, says):
    done = autograder("check", "engine_mul", write(name, content))
    assert done.returncode == 2
    assert says in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Affine = 3\n", "must be a subclass of torch.autograd.Function, but it is"),
        (RIGHT + "Affine = Affine.apply\n", "Pass the class Affine itself"),
    ],
)
def test_what_is_no_function_exits_with_2_and_one_sentence(autograder, write, content, says):
    done = autograder("check", "affine", write("work.py", content))
    assert done.returncode == 2
    assert says in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_missing_file_and_a_folder_exit_with_2(autograder, tmp_path):
    done = autograder("check", "affine", tmp_path / "none.py", tmp_path)
    assert done.returncode == 2
    assert "There is no file" in done.stdout
    assert "is a folder" in done.stdout


def test_an_unknown_exercise_exits_with_2_and_names_the_nearest(autograder, write):
    done = autograder("check", "afine", write("work.py", RIGHT))
    assert done.returncode == 2
    assert done.stderr == "autograder: There is no exercise 'afine'; did you mean affine?\n"


def test_a_script_may_end_with_sys_exit(autograder, write):
    assert autograder("check", "affine", write("work.py", RIGHT + "raise SystemExit(3)\n")).returncode == 0


def test_a_notebook_runs_with_magics_failing_cells_and_its_own_checks(write):
    path = write(
        "work.ipynb",
        notebook(
            "%matplotlib inline\nfrom autograder import check, grade",
            "this is not python",
            "%%time\n" + RIGHT,
            "check('affine', Affine)",
            "grade('affine', Affine)",
        ),
    )
    done = as_a_program("check", "affine", path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_torch_py_beside_the_work_shadows_nothing(autograder, write):
    write("torch.py", "raise RuntimeError('not the real torch')")
    assert autograder("check", "affine", write("work.py", RIGHT)).returncode == 0


def test_work_cannot_change_the_verdict_from_its_own_process(autograder, write):
    patched = WRONG + "import torch\ntorch.autograd.gradcheck = lambda *a, **k: True\n"
    patched += "import vjpcheck.checks.contract as c\nc.findings = lambda case: iter(())\n"
    assert autograder("check", "affine", write("work.py", patched)).returncode == 1


@pytest.mark.parametrize(
    "answer", first_now(["{'outputs': ['x'], 'dtypes': 4, 'changed': [9]}", "3", "{}", "{'outputs': 7}"])
)
def test_forged_answers_of_the_probe_give_one_sentence(autograder, write, answer):
    forged = f"import vjpcheck.probe.function_probe as p\np.Probe.forward = lambda *_: {answer}\n"
    done = autograder("check", "affine", write("work.py", RIGHT + forged))
    assert done.returncode == 2
    assert "to the autograder are invalid: " in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
