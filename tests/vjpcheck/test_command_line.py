"""The command line on files, packages and inputs of all kinds, and pytest with the plugin."""

import json
import subprocess
import sys

import jsonschema
import pytest

from vjpcheck.cli import main
from vjpcheck.render import as_json

OPS = """
import torch
from ..helpers import three


class Outer:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, layer):
            assert isinstance(layer, torch.nn.Linear)
            ctx.save_for_backward(x)
            return x**three()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return -three() * x**2 * g, None


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, times=1.0):
        ctx.save_for_backward(x)
        return times * x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g, None


def inputs():
    return [torch.randn(3), torch.nn.Linear(2, 2)]


def like(x, layer):
    return x**3


def no_inputs():
    raise RuntimeError("nothing here")
"""
TESTS = """
import pytest
import torch
from package.inner.ops import Square, Outer


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_square(assert_backward, dtype):
    assert_backward(Square, torch.randn(3), dtype=dtype)


def test_cube(assert_backward):
    assert_backward(Outer.Cube, torch.randn(3), torch.nn.Linear(2, 2))
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    inner = tmp_path / "package" / "inner"
    inner.mkdir(parents=True)
    for folder in (inner, inner.parent):
        (folder / "__init__.py").touch()
    (inner.parent / "helpers.py").write_text("def three():\n    return 3\n")
    (inner / "ops.py").write_text(OPS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILE, MODULE = "package/inner/ops.py", "package.inner.ops"


@pytest.mark.parametrize("where", [FILE, MODULE])
def test_files_with_relative_imports_and_modules_are_read(package, capsys, where):
    wrong = [f"{where}:Outer.Cube", "--inputs", f"{where}:inputs"]
    assert main(wrong) == 1
    assert "[wrong-sign]" in capsys.readouterr().out
    assert main([*wrong, "--like", f"{where}:like"]) == 1
    assert "Compared with autograd through like" in capsys.readouterr().out
    assert main([f"{where}:Square", "--inputs", "randn(3)", "--dtype", "float32"]) == 0


def test_json_fits_its_schema_and_has_the_numbers(package, capsys):
    schema = json.loads((as_json.FOLDER / "result.schema.json").read_text())
    for arguments, status in (
        (["--inputs", f"{FILE}:inputs"], 1),
        (["--inputs", "3"], 2),
        (["--inputs", f"{FILE}:no_inputs"], 2),
    ):
        assert main([f"{FILE}:Outer.Cube", *arguments, "--json"]) == status
        result = json.loads(capsys.readouterr().out)
        jsonschema.validate(result, schema)
        assert result["versions"].keys() == {"python", "torch", "vjpcheck"}
        if status == 1:
            numbers = result["findings"][0]["numbers"]
            assert numbers["observed"] == pytest.approx([-number for number in numbers["true"]])
            assert [check["check"] for check in result["checks"] if not check["reached"]]
        else:
            assert result["error"]
            assert not result["passed"]


def test_the_report_repeats_the_finding_in_pytorch_alone(package, capsys):
    assert main([f"{MODULE}:Square", "--inputs", "randn(3), 2.0", "--markdown"]) == 1
    report = capsys.readouterr().out
    code = report.split("```python\n")[1].split("```")[0]
    ran = subprocess.run(
        [sys.executable, "-c", f"from {MODULE} import Square\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    observed = code.split("# it is        [")[1].split("]")[0]
    printed = ran.stdout.split("[")[1].split("]")[0]
    assert [float(number) for number in printed.split(",")] == pytest.approx(
        [float(number) for number in observed.split(",")], abs=1e-3
    )


def test_annotations_name_the_file(package, capsys):
    assert main([f"{FILE}:Square", "--inputs", "randn(3), 2.0", "--github"]) == 1
    assert capsys.readouterr().out.startswith(f"::error file={FILE},title=vjpcheck Square: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([f"{MODULE}:Nothing", "--inputs", "randn(3)"], f"{MODULE} does not define Nothing."),
        (["package.nowhere:F", "--inputs", "randn(3)"], "there is no package.nowhere"),
        (
            [f"{FILE}:Square", "--inputs", f"{FILE}:no_inputs"],
            "in --inputs raised RuntimeError (line",
        ),
        ([f"{FILE}:Square", "--inputs", "randn(3)", "--dtype", "int8"], "dtype is int8; it may be"),
        (
            [f"{FILE}:Square", "--inputs", "randn(3)", "--allow", "typo"],
            "'typo', which is the id of no mistake",
        ),
        (
            [f"{FILE}:Square", "--inputs", "randn(3)", "--device", "nowhere"],
            "device is nowhere, which cannot be used here",
        ),
    ],
)
def test_what_cannot_be_run_is_said_in_a_sentence(package, capsys, arguments, said):
    assert main(arguments) == 2
    out = " ".join(capsys.readouterr().out.split())
    assert said in out
    assert "Traceback" not in out


def test_the_plugin_shows_the_card_and_costs_other_runs_nothing(package):
    (package / "test_ops.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run([*command, "test_ops.py"], capture_output=True, text=True, check=False)
    assert "1 failed, 3 passed" in ran.stdout, ran.stdout
    assert "[wrong-sign] The gradient for x has the opposite sign." in ran.stdout
    assert "vjpcheck/diagnosis" not in ran.stdout, "the traceback ends in the test"
    (package / "test_other.py").write_text(
        "import sys\n\ndef test_it():\n    assert 'torch' not in sys.modules\n"
    )
    subprocess.run([*command, "test_other.py"], check=True)
