"""What Binder builds, as far as that can be seen without Docker: the plan, and the steps of postBuild."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from scripts import code_of, python_script
from shipped import home_that_trusts_git

ROOT = Path(__file__).resolve().parent.parent
STUDENT_VIEW = "@write-your-own-backward/student-view"
STUDENTS = {"@jupyter/nbgrader:validate-assignment"}
TEACHERS = {
    f"@jupyter/nbgrader:{name}"
    for name in ("formgrader", "create-assignment", "course-list", "assignment-list", "menu")
}


def said(*command: str | Path, **options) -> str:
    """Run a command that must succeed and return all that it says."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Clone the repository, with what is not committed yet, as Binder would get it."""
    clone = tmp_path_factory.mktemp("binder") / "clone"
    environment = os.environ | {"HOME": str(home_that_trusts_git(clone.parent / "home"))}
    said("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone, env=environment)
    for name in ("environment.yml", "pyproject.toml", "setup.py", "binder/postBuild"):
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "student_view", clone / "student_view", dirs_exist_ok=True)
    return clone


def test_repo2docker_plans_the_conda_environment_and_post_build(clone):
    plan = said(
        Path(sysconfig.get_path("scripts")) / "jupyter-repo2docker",
        *("--no-build", "--debug", "--Repo2Docker.default_buildpack=None", "."),
        cwd=clone,
    )
    assert "Building conda environment for python=3.12" in plan
    assert 'env update -p ${NB_PYTHON_PREFIX} --file "binder/environment.yml"' in plan
    assert "RUN ./binder/postBuild" in plan


class Image:
    """A throw-away environment in place of Binder's: the packages of this one, settings of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        said(sys.executable, "-m", "venv", "--without-pip", folder)
        python = folder / "bin" / "python"
        packages = Path(said(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (packages / "packages.pth").write_text(sysconfig.get_path("purelib"))
        for script in Path(sysconfig.get_path("scripts")).glob("*"):
            if script.name == "pip" or script.name.startswith("jupyter"):
                (folder / "bin" / script.name).write_text(python_script(code_of(script), python))
                (folder / "bin" / script.name).chmod(0o755)
        data, settings = Path("share", "jupyter"), Path("etc", "jupyter", "jupyter_server_config.d")
        shutil.copytree(Path(sys.prefix) / settings, folder / settings)
        for name in ("lab", "labextensions"):  # all that other packages have installed there
            (folder / data / name).mkdir(parents=True)
            for part in (Path(sys.prefix) / data / name).iterdir():
                if part.name not in ("settings", STUDENT_VIEW.partition("/")[0]):
                    (folder / data / name / part.name).symlink_to(part)
        self.home = folder / "home"
        self.home.mkdir()
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "PYTHON"))
        }
        self.environment = kept | {
            "HOME": str(self.home),
            "MPLCONFIGDIR": str(self.home / "matplotlib"),
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PIP_NO_BUILD_ISOLATION": "0",  # with the setuptools that is here: the tests need no network
        }

    def run(self, *command: str | Path, cwd: Path) -> str:
        return said(*command, cwd=cwd, env=self.environment)


@pytest.fixture(scope="module")
def image(clone):
    image = Image(clone.parent / "image")
    image.run(clone / "binder" / "postBuild", cwd=clone)
    return image


def test_post_build_installs_the_course_of_the_clone(clone, image):
    found = image.run(
        "python", "-c", "import autograder, course.engine; print(autograder.__file__)", cwd=image.home
    )
    assert Path(found.strip()) == clone / "autograder" / "__init__.py"


def test_in_jupyterlab_students_have_validate_and_nothing_else_of_nbgrader(clone, image):
    extensions = image.run("jupyter", "labextension", "list", cwd=clone)
    enabled, disabled = extensions.split("Disabled extensions:")
    assert "@jupyter/nbgrader" in enabled
    assert STUDENT_VIEW in enabled
    names = set(disabled.split())
    assert names >= TEACHERS
    assert not names & STUDENTS


def test_jupyterlab_is_given_the_settings_of_the_course(image):
    given = image.folder / "share" / "jupyter" / "lab" / "settings" / "overrides.d"
    settings = json.loads((given / "write-your-own-backward.json").read_text())
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_the_server_has_what_validate_needs_and_nothing_else_of_nbgrader(clone, image):
    extensions = image.run("jupyter", "server", "extension", "list", cwd=clone)
    state = dict(re.findall(r"nbgrader\.server_extensions\.(\w+) \S*(enabled|disabled)", extensions))
    assert [name for name, value in state.items() if value == "enabled"] == ["validate_assignment"]
    assert set(state) == {"validate_assignment", "formgrader", "assignment_list", "course_list"}


def test_the_first_cell_finds_bytecode_and_fonts(clone, image):
    for package in ("course", "autograder"):
        sources = [path for path in (clone / package).rglob("*.py") if path.stem != "__main__"]
        for source in sources:
            assert list((source.parent / "__pycache__").glob(f"{source.stem}.*.pyc")), source
    assert list((image.home / "matplotlib").glob("fontlist-*.json"))
