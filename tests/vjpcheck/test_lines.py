"""Lines that never ran: what ran is known from what the code itself writes down, or from its branches."""

import json
import sys
import tempfile
import textwrap
import threading
from pathlib import Path

import nbformat
import pytest
import submissions
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from verdicts import verdict, verdict_on

from autograder.exercises import EXERCISES, find
from vjpcheck import diagnose
from vjpcheck.cli import main
from vjpcheck.probe import lines
from vjpcheck.probe.lines import NotingProbe
from vjpcheck.probes import Subject, probe_of
from vjpcheck.render.html import as_html
from vjpcheck.render.text import as_text
from vjpcheck.source_file import load

traced = pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring needs no trace function")
pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 12) and sys.gettrace() is not None,
    reason="Before Python 3.12, a tool that traces the tests itself keeps lines from being noted.",
)

SQUARE = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
{body}
"""
FIRST = SQUARE.format(body="").count("\n")  # the line of the body


class Calling:
    """A probe that calls a function of no arguments, or of one."""

    def __init__(self, work, *_):
        self.work = work

    def call(self, *arguments):
        self.work(*arguments)
        return {}


def square(body: str, folder: Path) -> type:
    path = folder / "ops.py"
    path.write_text(SQUARE.format(body=textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)))
    return load(path, "Square")


def said(body: str, folder: Path) -> tuple[str, ...]:
    return diagnose(square(body, folder), torch.randn(2, 3, dtype=torch.float64)).never_ran


def never(first: int, source: str) -> str:
    return f"line {first} never ran, so nothing says that it is right: `{source}`"


def test_a_branch_that_no_input_takes_is_said_and_one_that_they_take_is_not(tmp_path):
    branch = "if x.sum() > {limit}:\n    return g * 3\nreturn g * x * 2"
    assert said(branch.format(limit=1e9), tmp_path) == (never(FIRST + 1, "return g * 3"),)
    taken = "if x.sum() > -1e9:\n    return g * x * 2\nreturn g * 3"
    assert said(taken, tmp_path) == (never(FIRST + 2, "return g * 3"),)
    both = "if x.sum() > -1e9:\n    g = g * 2\nreturn g * x"
    assert said(both, tmp_path) == ()


@pytest.mark.parametrize(
    "guard",
    [
        "if x.dim() > 9:\n    raise ValueError('too many axes')",
        "if x.dim() > 9:\n    told = f'{x.dim()} axes'\n    raise ValueError(told)",
        "assert x.dim() < 9, (\n    'too many axes'\n)",
        "if x.dim() > 9:\n    assert x.is_contiguous()",
        "if not ctx.needs_input_grad[0]:\n    return None",
        "if g is None:\n    return None, None",
        "if x.dim() > 9:\n    pass",
        "def unused():\n    return 1",
        "if x.dim() > 9:\n    raise ValueError(\n        'too many axes'\n    )",
    ],
)
def test_a_guard_is_not_said(guard, tmp_path):
    assert said(f"{guard}\nreturn g * x * 2", tmp_path) == ()


def test_what_a_function_does_without_its_last_line_is_not_said(tmp_path):
    assert said("if ctx.needs_input_grad[0]:\n    return g * x * 2\nreturn None", tmp_path) == ()


def test_a_return_of_none_for_a_reason_of_its_own_is_said(tmp_path):
    body = "if x.dim() > 9:\n    return None\nreturn g * x * 2"
    assert said(body, tmp_path) == (never(FIRST + 1, "return None"),)


def test_a_statement_of_many_lines_counts_once_by_its_first(tmp_path):
    body = "if x.dim() > 9:\n    return (\n        g\n        * 3\n    )\nreturn (\n    g * x\n    * 2\n)"
    assert said(body, tmp_path) == (never(FIRST + 1, "return ( g * 3 )"),)


def test_statements_that_follow_each_other_are_one_part(tmp_path):
    body = "if x.dim() > 9:\n    y = g\n    if y is g:\n        y = y * 2\n    return y\nreturn g * x * 2"
    found = f"lines {FIRST + 1} to {FIRST + 4} never ran, so nothing says that they are right: `y = g` …"
    assert said(body, tmp_path) == (found,)


def test_three_parts_are_listed_and_the_others_counted(tmp_path):
    branches = "".join(f"if x.dim() > {n}:\n    g = g * {n}\n" for n in range(4, 11))
    found = said(f"{branches}return g * x * 2", tmp_path)
    assert found[:3] == tuple(never(FIRST + 1 + 2 * n, f"g = g * {4 + n}") for n in range(3))
    assert found[3:] == ("and 4 more lines",)


def test_helpers_of_the_same_file_count_and_those_of_libraries_do_not(tmp_path):
    path = tmp_path / "ops.py"
    helpers = """
        def double(g):
            if g.dim() > 9:
                return g
            return times(g, 2)

        def times(g, n):
            for _ in range(n - 2):
                g = g + 0
            return torch.nn.functional.hardtanh(g, -1e9, 1e9) * n

        def never_named(g):
            return g

        def only_in_a_guard(g):
            return "no"
    """
    guard = "if g.dim() > 9:\n            raise ValueError(only_in_a_guard(g))"
    body = f"        {guard}\n        return double(g) * x"
    source = SQUARE.format(body=body) + textwrap.dedent(helpers)
    path.write_text(source)
    found = diagnose(load(path, "Square"), torch.randn(2, 3)).never_ran
    place = source.splitlines().index
    assert found == (
        never(place("        return g") + 1, "return g"),
        never(place("        g = g + 0") + 1, "g = g + 0"),
    )


def test_a_method_that_nobody_called_is_said_once_if_a_library_would_call_it(tmp_path):
    body = """
        return g * x * 2

    @staticmethod
    def vmap(info, in_dims, x):
        y = x * x
        return y, 0

    @classmethod
    def about(cls):
        return "squares"
    """
    path = tmp_path / "ops.py"
    path.write_text(SQUARE.format(body=body))
    found = diagnose(load(path, "Square"), torch.randn(2, 3)).never_ran
    assert found == (f"Square.vmap (line {FIRST + 3}) never ran, so nothing says that it is right",)


def test_of_wrong_work_that_raises_nothing_is_said(tmp_path):
    branch = "if x.dim() > 9:\n    return g\n"
    assert said(branch + "raise RuntimeError('no')", tmp_path) == ()
    assert said(branch + "return g * x * 3", tmp_path) == ()  # later checks were not reached


# Programs that write down which of their statements run.

CONDITIONS = st.sampled_from(["True == x", "False == x", "x in (True, False)", "x is None"])


def blocks(inner):
    block = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.tuples(st.just("if"), CONDITIONS, block, block),
        st.tuples(st.just("for"), st.integers(0, 2), block),
        st.tuples(st.just("try"), st.booleans(), block, block),
        st.tuples(st.just("with"), block),
        st.tuples(st.just("match"), block, block),
    )


PROGRAMS = st.lists(st.recursive(st.sampled_from(["note", "long note"]), blocks, max_leaves=12), min_size=1)


def written(program, indent, source):
    """Write statements into `source`: each leaf adds its own first line to `ran`."""
    for statement in program:
        place = " " * indent
        line = len(source) + 1
        match statement:
            case "note":
                source.append(f"{place}ran.add({line})")
            case "long note":
                source += [f"{place}ran.add(", f"{place}    {line}", f"{place})"]
            case ("if", condition, body, otherwise):
                source.append(f"{place}if {condition}:")
                written(body, indent + 1, source)
                source.append(f"{place}else:")
                written(otherwise, indent + 1, source)
            case ("for", times, body):
                source.append(f"{place}for _ in range({times}):")
                written(body, indent + 1, source)
            case ("try", raises, body, handler):
                source.append(f"{place}try:")
                source.append(f"{place} {{}}[1]" if raises else f"{place} {{}}")
                written(body, indent + 1, source)
                source.append(f"{place}except KeyError:")
                written(handler, indent + 1, source)
            case ("with", body):
                source.append(f"{place}with open(__file__):")
                written(body, indent + 1, source)
            case ("match", body, otherwise):
                source += [f"{place}match x:", f"{place} case True:"]
                written(body, indent + 2, source)
                source.append(f"{place} case _:")
                written(otherwise, indent + 2, source)


@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])  # to explain a failure it traces
@given(PROGRAMS)
def test_the_lines_that_never_ran_are_those_that_wrote_nothing_down(program):
    source = ["ran = set()", "def work(x):"]
    written(program, 1, source)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ops.py"
        path.write_text("\n".join(source) + "\n")
        work = load(path, "work")
        probe = NotingProbe(Calling(work), work)
        for x in (True, False, 3):
            leaves = {n for n, text in enumerate(source, 1) if "ran.add(" in text}
            probe.call(x)
            parts = probe.never_ran()["parts"]
            said = {line for part in parts for line in range(part["first"], part["last"] + 1)}
            assert said & leaves == leaves - work.__globals__["ran"]


# What traces, profiles or counts lines beside it.


@traced
def test_a_debuggers_trace_function_is_left_alone_and_nothing_is_said(tmp_path):
    work = square("if x.dim() > 9:\n    return g\nreturn g * x * 2", tmp_path)
    events = []

    def debugger(frame, event, argument):
        if frame.f_code.co_filename.endswith("ops.py"):
            events.append(event)
        return debugger

    sys.settrace(debugger)
    try:
        result = diagnose(work, torch.randn(2, 3))
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(None)
    assert result.passed
    assert result.never_ran == ()
    assert "line" in events


@traced
def test_after_it_no_trace_function_is_left_here_or_for_new_threads(tmp_path):
    profiler = sys.getprofile()
    assert said("if x.dim() > 9:\n    return g\nreturn g * x * 2", tmp_path) != ()
    assert said("if x.dim() > 9:\n    return g\nraise ValueError", tmp_path) == ()
    assert (sys.gettrace(), threading.gettrace(), sys.getprofile()) == (None, None, profiler)


@traced
def test_work_that_sets_a_trace_function_itself_keeps_it_and_nothing_is_said(tmp_path):
    path = tmp_path / "ops.py"
    for own in ("lambda *_: None", "None"):
        path.write_text(
            f"import sys\ndef work():\n    sys.settrace({own})\n    if sys is None:\n        return 1\n"
        )
        work = load(path, "work")
        probe = NotingProbe(Calling(work), work)
        try:
            probe.call()
            assert (sys.gettrace() is None) == (own == "None")
        finally:
            sys.settrace(None)
        assert probe.never_ran()["parts"] == []


@traced
def test_so_many_events_are_noted_and_then_nothing_is_said(tmp_path, monkeypatch):
    path = tmp_path / "ops.py"
    path.write_text(
        "def work():\n    for _ in range(10_000):\n        pass\n    if _ < 0:\n        return 1\n"
    )
    work = load(path, "work")
    for at_most, parts in ((100_000, 1), (1_000, 0)):
        monkeypatch.setattr(lines, "EVENTS_AT_MOST", at_most)
        probe = NotingProbe(Calling(work), work)
        probe.call()
        assert len(probe.never_ran()["parts"]) == parts
        assert sys.gettrace() is None


def test_lines_that_run_in_a_thread_of_the_work_have_run(tmp_path):
    path = tmp_path / "ops.py"
    path.write_text(
        "import threading\n"
        "def work():\n    thread = threading.Thread(target=inside)\n    thread.start()\n    thread.join()\n"
        "def inside():\n    n = 1\n    if n > 1:\n        n = 2\n"
    )
    work = load(path, "work")
    probe = NotingProbe(Calling(work), work)
    probe.call()
    assert [part["source"] for part in probe.never_ran()["parts"]] == ["n = 2"]


def test_a_call_that_raises_is_noted_up_to_there(tmp_path):
    path = tmp_path / "ops.py"
    path.write_text("def work(x):\n    y = 1 / x\n    if x > 9:\n        y = 2\n    return y\n")
    work = load(path, "work")
    probe = NotingProbe(Calling(work), work)
    with pytest.raises(ZeroDivisionError):
        probe.call(0)
    assert [(p["first"], p["count"]) for p in probe.never_ran()["parts"]] == [(3, 3)]
    probe.call(1)
    assert [(p["first"], p["count"]) for p in probe.never_ran()["parts"]] == [(4, 1)]


def test_a_file_that_was_edited_after_it_was_loaded_says_nothing(tmp_path):
    work = square("if x.dim() > 9:\n    return g\nreturn g * x * 2", tmp_path)
    (tmp_path / "ops.py").write_text("# all is gone\n")
    assert diagnose(work, torch.randn(2, 3)).never_ran == ()


def test_code_that_has_no_source_says_nothing():
    place = {}
    exec("def work(x):\n    if x:\n        return 1\n", place)
    probe = NotingProbe(Calling(place["work"]), place["work"])
    probe.call(False)
    assert probe.never_ran()["parts"] == []


# Where a person sees it.


def test_a_card_says_it_as_text_and_as_html_and_takes_no_points(tmp_path):
    path = tmp_path / "cube.py"
    path.write_text(
        "import torch\nclass Cube(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n        return x**3\n"
        "    @staticmethod\n    def backward(ctx, g):\n"
        "        (x,) = ctx.saved_tensors\n        if x.dim() > 7:\n            return g < x\n"
        "        return 3 * g * x * x\n"
    )
    result = verdict_on(find("cube"), load(path, "Cube"), 0)
    assert (result.score, result.passed) == (result.max_score, True)
    sentence = never(11, "return g < x")
    assert result.never_ran == (sentence,)
    assert result.to_json()["never_ran"] == [sentence]
    assert f"  Remark, which takes no points:\n    {sentence}" in as_text(result)
    assert "line 11 never ran, so nothing says that it is right: <code>return g &lt; x</code>" in as_html(
        result
    )


def test_the_command_line_says_it_of_a_file_and_of_a_notebook(tmp_path, capsys):
    square = SQUARE.format(body="        if x.dim() > 9:\n            return g\n        return g * x * 2")
    source = square.lstrip("\n")  # as IPython does with a cell
    (tmp_path / "ops.py").write_text(source)
    cells = ["import torch", source]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(book, tmp_path / "ops.ipynb")
    for name in ("ops.py", "ops.ipynb"):
        assert main([f"{tmp_path / name}:Square", "--inputs", "randn(2, 3)", "--json"]) == 0
        told = json.loads(capsys.readouterr().out)["never_ran"]
        assert told == [never(FIRST, "return g")]


def test_work_for_a_task_is_noted_too(tmp_path):
    path = tmp_path / "numerical.py"
    exercise = find("numerical_jacobian")
    right = submissions.right(exercise.id)[0].source
    head, definition, rest = right.partition(f"def {exercise.object_name}")
    signature, _, body = rest.partition("\n")
    path.write_text(f"{head}{definition}{signature}\n    if False == 1:\n        return 3\n{body}")
    result = verdict_on(exercise, load(path, exercise.object_name), 0)
    assert result.passed
    line = head.count("\n") + 3
    assert result.never_ran == (never(line, "return 3"),)


@pytest.mark.long
def test_few_right_submissions_have_a_remark_and_each_is_true():
    """All were looked at: branches for more axes, helpers of a second Function, zeros for another shape."""
    right = [s for exercise in EXERCISES for s in submissions.right(exercise)[::3]]
    remarked = {str(s): result.never_ran for s in right if (result := verdict(s, s.seed)).never_ran}
    assert all(verdict(submissions.named(name), 0).passed for name in remarked)
    assert len(remarked) <= 0.04 * len(right), remarked


def test_a_probe_answers_as_without_it():
    probe = probe_of(Subject("work", f"{__name__}"), lambda: None)
    assert probe.call() == {}


Probe = Calling
