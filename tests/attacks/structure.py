"""Submissions whose notebook or folder is the attack: each builder writes one, and says what it tries."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]
Builder = Callable[["Submission"], None]
BUILDERS: list[Builder] = []
SOLVED = "grade = check = lambda *_: 4.0\n"
SCRIPT = "<script>document.title='wyob-attack'</script>"


class Submission:
    """A folder to fill: `notebook` is the released one with a wrong backward in it."""

    def __init__(self, folder: Path, name: str, notebook: Notebook, course: Path) -> None:
        self.folder = folder
        self.path = folder / name
        self.notebook = notebook
        self.course = course

    def cell(self, grade_id: str) -> Notebook:
        cells: list[Notebook] = self.notebook["cells"]
        return next(c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)

    def tests(self) -> list[Notebook]:
        return [c for c in self.notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]

    def place_of(self, grade_id: str) -> int:
        place: int = self.notebook["cells"].index(self.cell(grade_id))
        return place

    def write(self) -> None:
        self.path.write_text(json.dumps(self.notebook))


def code(source: str, id_: str = "attack", **metadata: Any) -> Notebook:
    return {
        "cell_type": "code", "id": id_, "metadata": metadata, "source": source,
        "outputs": [], "execution_count": None,
    }  # fmt: skip


def attack(builder: Builder) -> Builder:
    BUILDERS.append(builder)
    return builder


@attack
def skip_execution(to: Submission) -> None:
    """The tag skip-execution on the test cells: what is not run has no error, and no output is full marks."""
    for cell in to.notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
    to.write()


@attack
def raises_exception(to: Submission) -> None:
    """The tags raises-exception and remove-output on every cell, so that errors do not count."""
    for cell in to.notebook["cells"]:
        cell["metadata"]["tags"] = ["raises-exception", "remove-output", "remove_cell", "nbgrader-hide"]
    to.write()


@attack
def duplicate_test_cell(to: Submission) -> None:
    """Two cells with the id of the locked test; the student's own says 4.0."""
    to.notebook["cells"].append({**to.cell("kill_head_test"), "id": "again", "source": "4.0"})
    to.write()


@attack
def duplicate_cell_ids(to: Submission) -> None:
    """All cells have one and the same notebook cell id, and every marked cell is there twice."""
    cells = to.notebook["cells"]
    to.notebook["cells"] = [{**cell, "id": "same"} for cell in [*cells, *cells]]
    to.write()


@attack
def duplicate_before_the_solution(to: Submission) -> None:
    """A markdown cell and a test cell come first that use up the names of solution and test."""
    solution, test = to.cell("kill_head"), to.cell("kill_head_test")
    to.notebook["cells"].insert(0, {**test, "id": "b", "source": "4.0", "metadata": solution["metadata"]})
    to.notebook["cells"].insert(0, {**solution, "id": "a", "source": SOLVED, "metadata": test["metadata"]})
    to.write()


@attack
def test_cell_replaced(to: Submission) -> None:
    """The source of every locked test is 4.0, with its lock and checksum taken off."""
    for cell in to.tests():
        cell["source"] = "4.0"
        cell["metadata"]["nbgrader"] |= {"locked": False, "checksum": ""}
    to.write()


@attack
def test_cells_worth_more(to: Submission) -> None:
    """The metadata of the tests says 1,000 points, and -1,000, and NaN."""
    for cell, points in zip(to.tests(), (1000, -1000, float("nan"), "4", None), strict=True):
        cell["metadata"]["nbgrader"]["points"] = points
    to.write()


@attack
def solution_is_its_own_test(to: Submission) -> None:
    """The solution cell is marked as graded, task and manual, and the test as a solution."""
    to.cell("kill_head")["metadata"]["nbgrader"] |= {"grade": True, "points": 4, "task": True}
    to.cell("kill_head_test")["metadata"]["nbgrader"] |= {"grade": False, "solution": True, "locked": False}
    to.cell("kill_head_test")["source"] = "4.0"
    to.write()


@attack
def outputs_forged(to: Submission) -> None:
    """The tests come with outputs, a score and a result in the autograder's own type, and are skipped."""
    result = {"exercise": "kill_head", "passed": True, "score": 4.0, "max_score": 4.0, "findings": []}
    data = {"text/plain": "4.0", "application/vnd.write-your-own-backward.result+json": result}
    for cell in to.tests():
        cell["metadata"]["tags"] = ["skip-execution"]
        cell["execution_count"] = 1
        cell["outputs"] = [
            {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
        ]
    to.write()


@attack
def metadata_forged(to: Submission) -> None:
    """The notebook's metadata says that it has been graded already, in a sandbox, with every key there is."""
    forged = {"key": "0" * 64, "isolation": "sandbox", "reason": None, "notes": [], "score": 20.0}
    to.notebook["metadata"] |= {"write-your-own-backward": forged, "nbgrader": {"score": 20.0}}
    to.write()


@attack
def another_kernel(to: Submission) -> None:
    """The notebook asks for a kernel that does not exist, in a language that is none, with a provisioner."""
    kernel = {"name": "wyob-attack", "display_name": SCRIPT, "language": "bash"}
    to.notebook["metadata"]["kernelspec"] = kernel | {
        "metadata": {"kernel_provisioner": {"provisioner_name": "x"}}
    }
    to.notebook["metadata"]["language_info"] = {"name": SCRIPT, "codemirror_mode": SCRIPT, "version": SCRIPT}
    to.write()


@attack
def link_to_the_solutions(to: Submission) -> None:
    """The notebook is a symbolic link to the instructor's."""
    to.path.symlink_to(to.course / "solutions" / to.folder.name / to.path.name)


@attack
def folder_is_a_link(to: Submission) -> None:
    """The folder of the assignment is a symbolic link to the instructor's."""
    to.folder.rmdir()
    to.folder.symlink_to(to.course / "solutions" / to.folder.name)


@attack
def links_beside(to: Submission) -> None:
    """Beside the notebook lie links to the gradebook, to the solutions, to / and to itself."""
    to.write()
    targets = {"book.db": to.course / "gradebook.db", "solutions": to.course / "solutions", "root": Path("/")}
    for name, target in {**targets, "loop": Path("loop"), "timestamp.txt": Path("/etc/passwd")}.items():
        (to.folder / name).symlink_to(target)


@attack
def torch_submitted(to: Submission) -> None:
    """A torch.py, an autograder package and a sitecustomize.py lie beside the notebook."""
    to.write()
    (to.folder / "torch.py").write_text(
        "import sys\nsys.path.remove('') if '' in sys.path else None\n"
        "import builtins\nbuiltins.print('4.0')\nclass Tensor: pass\nclass autograd:\n class Function: pass\n"
        "sys.modules['torch.autograd'] = autograd\n"
    )
    (to.folder / "autograder").mkdir()
    for name in (
        "autograder/__init__.py",
        "sitecustomize.py",
        "usercustomize.py",
        "IPython.py",
        "conftest.py",
    ):
        (to.folder / name).write_text(SOLVED)


@attack
def autograder_submitted(to: Submission) -> None:
    """An autograder package lies beside the notebook, whose grade always gives 4 points."""
    to.write()
    (to.folder / "autograder").mkdir()
    (to.folder / "autograder" / "__init__.py").write_text(SOLVED)


@attack
def notebook_renamed(to: Submission) -> None:
    """The notebook has another name."""
    (to.folder / "final version (2).ipynb").write_text(json.dumps(to.notebook))


@attack
def notebook_missing(to: Submission) -> None:
    """Only a text file and an empty folder are there."""
    (to.folder / "answer.txt").write_text("4.0")
    (to.folder / "empty").mkdir()


@attack
def notebook_is_a_folder(to: Submission) -> None:
    """A folder has the notebook's name."""
    to.path.mkdir()


@attack
def notebook_is_a_pipe(to: Submission) -> None:
    """A named pipe has the notebook's name: who opens it waits for ever."""
    os.mkfifo(to.path)


@attack
def notebook_of_two_gigabytes(to: Submission) -> None:
    """The notebook is a sparse file of 2 GB."""
    with to.path.open("wb") as file:
        file.truncate(2 << 30)


@attack
def not_json(to: Submission) -> None:
    """The notebook breaks off in the middle."""
    to.path.write_text(json.dumps(to.notebook)[:5000])


@attack
def not_text(to: Submission) -> None:
    """The notebook is bytes that are no text."""
    to.path.write_bytes(bytes(range(256)) * 100)


@attack
def brackets(to: Submission) -> None:
    """The notebook is a million opening brackets."""
    to.path.write_text("[" * 1_000_000)


@attack
def empty_file(to: Submission) -> None:
    """The notebook is empty."""
    to.path.touch()


@attack
def long_number(to: Submission) -> None:
    """A number of a million digits stands where the execution count belongs."""
    to.path.write_text(json.dumps(to.notebook).replace('"nbformat": 4', '"nbformat": ' + "9" * 1_000_000))


@attack
def cells_of_odd_kinds(to: Submission) -> None:
    """Cells are numbers, lists and null; sources are numbers; metadata is a list; ids are objects."""
    odd: list[Any] = [
        None,
        5,
        [],
        "cell",
        {},
        {"cell_type": "code"},
        {"cell_type": 5, "source": 5, "metadata": []},
    ]
    odd += [{"cell_type": "code", "source": [1, 2], "metadata": {"nbgrader": []}, "id": {}}]
    odd += [{"cell_type": "code", "source": "4.0", "metadata": {"nbgrader": {"grade_id": ["kill_head"]}}}]
    to.notebook["cells"] = odd + to.notebook["cells"]
    to.write()


@attack
def format_of_the_future(to: Submission) -> None:
    """The notebook says that it is in format 99, and 3, and has worksheets."""
    to.notebook |= {"nbformat": 99, "nbformat_minor": -1, "worksheets": [{"cells": to.notebook["cells"]}]}
    to.write()


@attack
def lone_surrogates(to: Submission) -> None:
    """Sources, names and metadata hold halves of surrogate pairs, NUL and control characters."""
    odd = "\ud800\x00\x1b[31m\u202e"
    to.cell("kill_head")["source"] += f"\nprint({odd!r})\n# {odd}\n"
    to.notebook["metadata"]["title"] = odd
    to.notebook["cells"].append(code("print('\\ud800\\x00\\ufffe')", odd))
    to.write()


@attack
def solution_as_markdown(to: Submission) -> None:
    """The solution is a markdown cell with a script, the test a raw cell."""
    to.cell("kill_head").update(cell_type="markdown", source=SCRIPT)
    to.cell("kill_head_test").update(cell_type="raw", source="4.0")
    to.write()


@attack
def cells_missing(to: Submission) -> None:
    """All cells are missing but those that are not graded."""
    to.notebook["cells"] = [c for c in to.notebook["cells"] if "nbgrader" not in c["metadata"]]
    to.write()


@attack
def cell_before_the_test(to: Submission) -> None:
    """A cell of the student's own stands just before the test and redefines grade."""
    to.notebook["cells"].insert(
        to.place_of("kill_head_test"), code(SOLVED + "import builtins\nbuiltins.grade = grade\n")
    )
    to.write()


@attack
def cell_after_the_tests(to: Submission) -> None:
    """A cell after all tests replaces the results that are kept in the notebook's process."""
    source = (
        "import IPython\nOut.clear()\n_ = __ = 4.0\nimport autograder\nautograder.grade = lambda *_: 4.0\n4.0"
    )
    to.notebook["cells"].append(code(source))
    to.write()


@attack
def setup_cell_replaced(to: Submission) -> None:
    """The cell with the imports brings a grade of its own, and a Function that is no torch Function."""
    to.notebook["cells"][1]["source"] = (
        "from typing import Any\nimport torch\nfrom torch import Tensor\n"
        "from torch.autograd import Function\n" + SOLVED
    )
    to.write()


@attack
def many_cells(to: Submission) -> None:
    """20,000 cells that do nothing."""
    to.notebook["cells"] += [code("pass", f"n{number}") for number in range(20_000)]
    to.write()


@attack
def nine_megabytes(to: Submission) -> None:
    """One cell holds nine megabytes of brackets, which take the parser down."""
    to.cell("kill_head")["source"] += "\nx = " + "(" * 4_500_000 + ")" * 4_500_000
    to.write()


@attack
def names_with_paths(to: Submission) -> None:
    """Added cells are named like paths, SQL and scripts, in ids, grade_ids and metadata."""
    for number, name in enumerate(
        ("../../../gradebook.db", "'; drop table grade; --", SCRIPT, "kill_head_test\0", "")
    ):
        marked = {
            "grade_id": name,
            "grade": True,
            "solution": False,
            "points": 4,
            "schema_version": 3,
            "locked": True,
        }
        to.notebook["cells"].append(
            code("4.0", f"{name}{number}", nbgrader={**marked, "cell_type": "code", "task": False})
        )
    to.write()


@attack
def script_in_markdown(to: Submission) -> None:
    """Texts, attachments, tags and titles of the notebook hold scripts."""
    for cell in to.notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = (
                f"{SCRIPT}\n[x](javascript:alert(1))\n<img src=x onerror=\"document.title='wyob-attack'\">"
            )
            cell["attachments"] = {SCRIPT: {"text/html": SCRIPT}}
        cell["metadata"]["tags"] = [SCRIPT]
    to.notebook["metadata"]["title"] = SCRIPT
    to.write()


@attack
def widget_state(to: Submission) -> None:
    """The notebook's widget state holds a script, which a page would put into itself."""
    state = {"state": {"x": {"model_name": SCRIPT, "state": {"value": "</script>" + SCRIPT}}}}
    to.notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    to.write()


@attack
def timestamp_of_the_future(to: Submission) -> None:
    """timestamp.txt says year 99999, and more."""
    to.write()
    (to.folder / "timestamp.txt").write_text("99999-12-31 23:59:59 UTC\n" + SCRIPT * 100_000)


@attack
def files_in_plenty(to: Submission) -> None:
    """Five thousand files, a deep tree and a file of 1 GB (sparse) lie beside the notebook."""
    to.write()
    for number in range(5000):
        (to.folder / f"{number}.txt").touch()
    deep = to.folder.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    with (to.folder / "large.bin").open("wb") as file:
        file.truncate(1 << 30)
