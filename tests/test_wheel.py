"""What a release is installed from: the wheel's files, that they work, and the source archive."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from shipped import ship

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("autograder", "course", "vjpcheck")
# lessons are read in a clone, which has figure settings beside them; TypeScript's files are for the lint
NOT_IN_THE_WHEEL = re.compile(
    r"course/\d\d-.*\.ipynb|course/matplotlibrc|course/graph/(tsconfig\.json|types\.d\.ts)"
)
OVERRIDES = "write-your-own-backward.json"
EXTENSION = "share/jupyter/labextensions/@write-your-own-backward/student-view/"
BUILD = """
from setuptools import build_meta
build_meta.build_sdist("dist")
build_meta.build_wheel("dist")
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Build both in a clean copy, with the setuptools that is here: the tests need no network."""
    copy = ship(tmp_path_factory.mktemp("dist") / "copy")
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, check=True, capture_output=True)
    return copy / "dist"


@pytest.fixture(scope="module")
def wheel(dist):
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Unpack the wheel; Python finds it before the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)
    return folder


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def run(installed: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, *command], cwd=installed, env=environment, capture_output=True, text=True
    )


def test_the_wheel_holds_the_packages_with_their_data_and_what_jupyterlab_is_given(wheel, tmp_path):
    of_packages = files(ship(tmp_path / "packages", *PACKAGES))
    of_extension = files(ship(tmp_path / "extension", "student_view") / "student_view") - {OVERRIDES}
    wanted = {name for name in of_packages if not NOT_IN_THE_WHEEL.fullmatch(name)}
    wanted |= {EXTENSION + name for name in of_extension} | {
        f"share/jupyter/lab/settings/overrides.d/{OVERRIDES}"
    }
    names = (name for name in wheel.namelist() if ".dist-info/" not in name)
    assert {name.partition(".data/data/")[2] or name for name in names} == wanted


def test_an_installed_wheel_checks_functions_and_lists_exercises(installed):
    where = run(
        installed, "-c", "import course.graph, vjpcheck; print(course.graph.__file__, vjpcheck.__file__)"
    )
    assert all(path.startswith(f"{installed}") for path in where.stdout.split())
    inputs = ("--inputs", "randn(3, 4), rand(4)")
    checked = run(installed, "-m", "vjpcheck", f"{ROOT}/demo/my_ops.py:RmsNorm", *inputs)
    assert checked.returncode == 1
    assert "[missing-normaliser-term]" in checked.stdout
    listed = run(installed, "-m", "autograder", "list")
    assert listed.stdout.startswith("Lesson 1\n")


def test_the_source_archive_has_no_part_of_the_tests(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    assert {*PACKAGES, "student_view", "pyproject.toml"} <= tops
    assert "tests" not in tops
