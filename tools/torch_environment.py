"""Makes an environment with another release of PyTorch, beside `.venv`, for `make test-torch`.

`torch_environment.py 2.15.0 FOLDER` installs that release, `torch_environment.py newest FOLDER` the newest
that there is, whatever bounds pyproject.toml has. All else is pinned as in `.venv`.
"""

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
NEWEST = "newest"
# what constraints.txt pins for its own release of PyTorch
OF_TORCH = ("torch", "triton", "nvidia-", "cuda-")


def main() -> None:
    """Make the environment that the command line asks for, unless it is there."""
    release, folder = sys.argv[1], Path(sys.argv[2])
    if release != NEWEST:
        _require_a_release(release)
    pins = "\n".join(line for line in _lines("constraints.txt") if not line.startswith(OF_TORCH))
    stamp, wanted = folder / "installed", hashlib.sha256(f"{release}\n{pins}\n{_requirements()}".encode())
    if release != NEWEST and stamp.exists() and stamp.read_text() == wanted.hexdigest():
        return
    print(f"[1/2] creating {folder.name} with torch {release}", flush=True)
    _uv("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
    (folder / "constraints.txt").write_text(pins)
    _install_torch(folder, release)
    print("[2/2] installing the course and what its tests need", flush=True)
    _install(
        folder, "--constraint", str(folder / "constraints.txt"), *_requirements(), _installed_torch(folder)
    )
    _install(folder, "--no-deps", "--editable", str(ROOT))
    stamp.write_text(wanted.hexdigest())


def _require_a_release(release: str) -> None:
    try:
        Version(release)
    except InvalidVersion:
        sys.exit(
            f"make test-torch: {release!r} is no release of PyTorch; write TORCH=2.15.0, or TORCH={NEWEST}."
        )


def _lines(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def _requirements() -> list[str]:
    """Return what the course and its tests need, but for torch, whose bounds do not count here."""
    project = tomllib.loads("\n".join(_lines("pyproject.toml")))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [requirement for requirement in needed if Requirement(requirement).name != "torch"]


def _install_torch(folder: Path, release: str) -> None:
    """Install the CPU build if it is available, else the default one: on Linux, with gigabytes of CUDA."""
    wanted = "torch" if release == NEWEST else f"torch=={release}"
    cpu = ["--torch-backend", "cpu", wanted]
    if subprocess.run(_command(folder, *cpu), stderr=subprocess.DEVNULL).returncode != 0:
        print("      the CPU build is not available here: installing the default build", flush=True)
        _install(folder, wanted)


def _installed_torch(folder: Path) -> str:
    """Return the requirement that keeps the PyTorch that is installed."""
    frozen = subprocess.check_output([*_uv_pip("freeze"), "--python", str(folder)], text=True)
    return next(line for line in frozen.splitlines() if line.startswith("torch=="))


def _uv_pip(verb: str) -> list[str]:
    return [str(Path(sys.executable).with_name("uv")), "pip", verb]


def _command(folder: Path, *arguments: str) -> list[str]:
    return [*_uv_pip("install"), "--quiet", "--python", str(folder), *arguments]


def _install(folder: Path, *arguments: str) -> None:
    _run(_command(folder, *arguments))


def _uv(*arguments: str) -> None:
    _run([str(Path(sys.executable).with_name("uv")), *arguments])


def _run(command: list[str]) -> None:
    if subprocess.run(command).returncode != 0:
        sys.exit("make test-torch: the environment could not be made; see uv's message above.")


if __name__ == "__main__":
    main()
