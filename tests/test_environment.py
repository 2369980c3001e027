"""environment.yml (conda, Binder) asks for what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parent.parent
# conda-forge's names where they differ; its graphviz is the dot binary that graphviz-pure is among wheels
CONDA_NAMES = {"torch": "pytorch-cpu", "graphviz": "python-graphviz", "matplotlib": "matplotlib-base"}
BINARY = {"graphviz-pure": "graphviz"}


def split(requirement: str) -> tuple[str, str]:
    name, bounds = re.fullmatch(r"([A-Za-z0-9-]+)([^;]*?)(?: ;.*)?", requirement).groups()
    return name, bounds


def test_environment_agrees_with_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())
    extras = project["optional-dependencies"]
    wanted = [r for r in [*extras["course"], *extras["grading"]] if not r.startswith(project["name"])]
    asked = dict(split(requirement) for requirement in wanted)
    *of_conda, of_pip = (requirement for requirement in conda["dependencies"] if requirement != "pip")
    given = dict(split(requirement) for requirement in of_conda)

    for requirement in of_pip["pip"]:  # what conda-forge does not have, for the same systems
        assert requirement in wanted
        asked.pop(split(requirement)[0])
    assert given.pop("python") == "=3.12"
    for wheel, binary in BINARY.items():
        asked.pop(wheel)
        assert given.pop(binary) == ""
    assert given == {CONDA_NAMES.get(name, name): bounds for name, bounds in asked.items()}
    assert conda["channels"][0] == "conda-forge"
    assert conda["name"] == project["name"]


def test_every_requirement_has_a_lower_and_an_upper_bound_and_a_pin():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    extras = [r for group in project["optional-dependencies"].values() for r in group]
    for requirement in (r for r in extras if not r.startswith(project["name"])):
        name, bounds = split(requirement)
        assert re.fullmatch(r">=[\d.]+,<[\d.]+", bounds), requirement
        assert name in pinned


def test_vjpcheck_alone_replaces_nobodys_torch():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    course = dict(map(split, project["optional-dependencies"]["course"]))
    assert {name for name, _ in map(split, project["dependencies"])} == {"numpy", "torch"}
    for name, bounds in map(split, project["dependencies"]):
        assert bounds == course[name].partition(",")[0]  # the lower bound alone


TORCH = re.compile(
    r"The course works with PyTorch (\S+) to (\S+): it was run with (.*) and (\d+\.\d+\.\d+)\.$", re.MULTILINE
)


@pytest.mark.parametrize("document", ["README.md", "site/index.md"])
def test_the_texts_say_which_releases_of_pytorch_were_tried(document):
    oldest, newest, releases, last = TORCH.search((ROOT / document).read_text()).groups()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = SpecifierSet(dict(map(split, project["optional-dependencies"]["course"]))["torch"])
    major, minor = map(int, newest.split("."))
    assert bounds == SpecifierSet(f">={oldest},<{major}.{minor + 1}")
    tried = [*re.findall(r"\d+\.\d+\.\d+", releases), last]
    assert (tried[0], tried[-1].rpartition(".")[0]) == (f"{oldest}.0", newest)
    assert all(release in bounds for release in tried)
    pins = (ROOT / "constraints.txt").read_text()
    assert (
        re.search(r"(\S+) \(which `make` installs\)", releases)[1]
        == re.search(r"^torch==(\S+)", pins, re.M)[1]
    )
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "torch.yml").read_text())
    assert workflow["jobs"]["bounds"]["strategy"]["matrix"]["torch"] == [tried[0], tried[-1]]


def test_binder_uses_the_same_environment():
    link = ROOT / "binder" / "environment.yml"
    assert link.is_symlink()
    assert link.resolve() == ROOT / "environment.yml"
