"""What a submission can reach, tried from inside: nothing but itself."""

import ast
import os
import socket
import sys
from pathlib import Path

import pytest
from isolation import LEVEL, needs_filter, needs_sandbox
from processes import descendants
from waiting import until

from autograder.grading.sandbox.budget import MIB, Limits
from autograder.grading.sandbox.client import Loss
from autograder.grading.sandbox.levels import Level
from autograder.grading.sandbox.sandbox import Sandbox, SandboxFailed, strongest
from autograder.grading.sandbox.visible_files import ROOT
from vjpcheck.result import CannotRun

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces and seccomp are Linux's")
LIMITS = Limits(seconds=20, all_files=4 * MIB, file_size=2 * MIB, processes=8)


@pytest.fixture(scope="module")
def sandbox():
    """Start a sandbox of the strongest level that this machine can give."""
    with Sandbox([], LEVEL, LIMITS, imports=()) as sandbox:
        yield sandbox


@pytest.fixture
def said(sandbox):
    """Run a cell in a new process and return what it printed, or the sentence about what stopped it."""

    def run(source: str) -> str:
        with sandbox.session() as session:
            ((printed, stopped),) = session.run([source])
        return printed.strip() or stopped

    return run


def test_the_kernel_gives_what_the_sandbox_finds():
    assert strongest()[0] is LEVEL


def test_a_cell_runs_and_what_it_prints_comes_back(said):
    assert said("print(6 * 7)") == "42"


def _needed() -> set[Path]:
    """Return what a submission has to see, wherever it lies: the course, Python, and the links to Python."""
    found = {ROOT, Path(sys.prefix)}
    if sys.base_prefix != "/usr":  # of that, it sees no more than the libraries
        found.add(Path(sys.base_prefix))
    here = Path(sys.executable)
    while here.is_symlink():
        here = Path(os.path.normpath(here.parent / os.readlink(here)))
        found.add(here)
    return found


NEEDED = _needed()
FOLDERS = {Path(name) for name in ("/root", "/home", "/var", "/srv", "/opt", "/sys/fs", Path.home())}
ON_THE_WAY = {folder for path in NEEDED for folder in path.parents} - {
    *map(Path, ("/", "/usr", "/usr/local"))  # which hold the system's libraries too
}


@needs_sandbox
@pytest.mark.parametrize(
    "folder",
    sorted(f for f in FOLDERS | ON_THE_WAY if not any(f.is_relative_to(path) for path in NEEDED)),
    ids=str,
)
def test_a_folder_of_the_machine_holds_no_more_than_the_way_to_what_is_needed(said, folder):
    listed = said(f"import os; f = {str(folder)!r}; print(os.listdir(f) if os.path.exists(f) else [])")
    inside = [path.relative_to(folder) for path in NEEDED if path.is_relative_to(folder)]
    assert {*ast.literal_eval(listed)} == {path.parts[0] for path in inside}


@needs_sandbox
@pytest.mark.parametrize(
    "path", ["/etc/passwd", "/etc/shadow", "~/.ssh", "~/.bashrc", "/proc/1/environ", "/proc/self/mem"]
)
def test_no_file_of_the_machine_is_there(said, path):
    assert said(f"import os; print(os.path.exists({os.path.expanduser(path)!r}))") == "False"


@needs_sandbox
def test_only_its_own_folder_can_be_written_and_not_much(said):
    assert "Read-only file system" in said("open('/evil', 'w')")
    assert "File too large" in said(
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "with open('big', 'wb') as f: f.write(bytes(3 << 20))"
    )
    assert "No space left" in said(
        "for n in range(9):\n    with open(str(n), 'wb') as f: f.write(bytes(1 << 20))"
    )
    said("open('left', 'w').write('for the next one')")
    assert said("import os; print(os.path.exists('left'), os.getcwd())") == "False /scratch"


@needs_filter
def test_there_is_no_network(said):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert "Operation not permitted" in said(
            f"import socket; socket.create_connection(('127.0.0.1', {port}))"
        )
    assert "Operation not permitted" in said("import socket; socket.socket(socket.AF_UNIX)")


@needs_sandbox
def test_other_processes_are_out_of_sight(said):
    assert said("import os; print(os.getpid(), os.getppid())") == "1 0"
    assert "No such process" in said(f"import os; os.kill({os.getpid()}, 9)")


@needs_sandbox
def test_there_are_no_rights_to_be_had(said):
    assert said("import os; print(0 in os.getresuid())") == "False"
    assert "Operation not permitted" in said("import os; os.setuid(0)") or "Function not" in said(
        "import os; os.setuid(0)"
    )
    unshare = (
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.unshare(0x10000000), ctypes.get_errno())"
    )
    assert said(unshare) == "-1 1"
    mount = unshare.replace("libc.unshare(0x10000000)", "libc.mount(b'none', b'/', b'tmpfs', 0, 0)")
    assert said(mount) == "-1 1"
    assert said(unshare.replace("libc.unshare(0x10000000)", "libc.ptrace(16, 1, 0, 0)")) == "-1 1"


def test_memory_is_bounded(said):
    assert "MemoryError" in said("b = bytearray(3 << 30)")
    assert "MemoryError" in said("b = [bytearray(1 << 20) for _ in range(4000)]")


# below bwrap: its own child, the process that forks, and the submission's
WITH_ONE_SUBMISSION = 3


FORKS = """
import os, time
for n in range({at_most}):
    try:
        pid = os.fork()
    except OSError as error:
        print(n, error)
        break
    if pid == 0:
        os.setsid()
        try:
            os.fork()
        finally:  # it may be one too many already, and must not go on as the notebook
            time.sleep(600)
"""


@needs_sandbox
def test_processes_are_bounded_and_die_with_the_submission(sandbox):
    with sandbox.session() as session:
        assert until(lambda: len(descendants(sandbox._process.pid)) == WITH_ONE_SUBMISSION)
        ((printed, _),) = session.run([FORKS.format(at_most=50)])
        assert "Resource temporarily unavailable" in printed
        assert until(lambda: len(descendants(sandbox._process.pid)) > WITH_ONE_SUBMISSION)
    with sandbox.session():
        assert until(lambda: len(descendants(sandbox._process.pid)) == WITH_ONE_SUBMISSION)


def test_time_is_bounded(sandbox):
    with sandbox.session(seconds=2) as session, pytest.raises(Loss, match="longer than 2 seconds"):
        session.run(["import time\nwhile True: time.sleep(1)"])


def test_drops_of_an_answer_do_not_buy_time(sandbox):
    drip = """
import os, time
for fd in range(3, 30):
    try:
        for _ in range(100):
            os.write(fd, b"\\0")
            time.sleep(0.2)
    except OSError:
        pass
"""
    with sandbox.session(seconds=2) as session, pytest.raises(Loss):
        session.run([drip])


def test_floods_and_forged_frames_are_that_submission_s_own_loss(sandbox):
    forge = (
        "import os\nfor fd in range(3, 30):\n    try: os.write(fd, {data})\n"
        "    except OSError: pass\nos._exit(0)"
    )
    for data in (
        "b'\\xff' * 16",
        "(1 << 40).to_bytes(8, 'big') * 2",
        "b'\\0' * 7 + b'\\x02' + b'\\0' * 8 + b'[]'",
    ):
        with sandbox.session() as session, pytest.raises(CannotRun):
            session.run([forge.format(data=data), "pass"])
    with sandbox.session() as session:
        ((printed, _),) = session.run(["print('x' * 10_000_000)"])
    assert len(printed) <= 10_000


def test_nothing_of_the_environment_is_seen(said, monkeypatch):
    assert "SECRET" not in said("import os; print(sorted(os.environ))")
    assert (
        said("import os, sys; print(sys.argv, [fd for fd in os.listdir('/')if fd == 'proc'])")
        == "['submission'] ['proc']"
    )


def test_one_warm_process_serves_more_submissions_than_a_socket_holds_words(sandbox):
    with sandbox.session():
        first = sandbox._process.pid
    for _ in range(400):  # some 280 small words fill a socket of Linux that nobody reads
        with sandbox.session():
            pass
    assert sandbox._process.pid == first


def test_a_warm_process_that_is_killed_is_started_again():
    with Sandbox([], LEVEL, LIMITS, imports=()) as sandbox:
        with sandbox.session() as session:
            sandbox._process.kill()
            sandbox._process.wait()
            with pytest.raises(Loss):
                _run_on(session)
        with sandbox.session() as session:
            assert session.run(["print(1)"]) == [("1\n", "")]


def _run_on(session):
    while True:  # the kernel ends the children of what was killed a moment later
        session.run(["print(1)"])


@pytest.mark.parametrize("level", [pytest.param(Level.FILTER, marks=needs_filter), Level.PROCESS])
def test_the_weaker_levels_run_what_is_honest(level):
    with Sandbox([], level, LIMITS, imports=()) as sandbox, sandbox.session() as session:
        assert session.run(["x = 2", "print(x)"]) == [("", ""), ("2\n", "")]
        # although its user may run more threads than it may: of an ordinary user the kernel counts them all
        threads = "import threading\nfor _ in range(4):\n    threading.Thread(target=print).start()"
        assert session.run([threads]) == [("\n" * 4, "")]


@needs_filter
def test_the_filter_alone_keeps_network_writing_and_processes_out(tmp_path):
    with Sandbox([], Level.FILTER, LIMITS, imports=()) as sandbox, sandbox.session() as session:
        answers = session.run(
            [
                "import socket; socket.socket()",
                f"open({str(tmp_path / 'evil')!r}, 'w')",
                "import os; os.fork()",
                f"import os; os.kill({os.getpid()}, 0)",
            ]
        )
    assert all("OSError" in stopped or "PermissionError" in stopped for _, stopped in answers)
    assert not list(tmp_path.iterdir())


def test_processes_that_a_weakly_isolated_submission_leaves_are_killed():
    with Sandbox([], Level.PROCESS, Limits(seconds=20), imports=()) as sandbox:
        with sandbox.session() as session:
            assert until(lambda: len(descendants(sandbox._process.pid)) == 1)
            session.run([FORKS.format(at_most=2)])
            assert until(lambda: len(descendants(sandbox._process.pid)) > 1)
        with sandbox.session():
            assert until(lambda: len(descendants(sandbox._process.pid)) == 1)


@needs_filter
def test_where_it_cannot_be_had_the_level_is_lower_and_told(monkeypatch):
    from autograder.grading.sandbox import sandbox
    from autograder.grading.sandbox.levels import TooWeak

    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)
    level, why = sandbox.strongest()
    assert level is Level.FILTER
    assert "bubblewrap is missing" in why
    with pytest.raises(TooWeak, match="--allow-weak-isolation"):
        sandbox.allowed_level(allow_weak=False)
    assert sandbox.allowed_level(allow_weak=True) is Level.FILTER


@needs_filter
def test_a_sandbox_that_cannot_start_says_why(monkeypatch):
    from autograder.grading.sandbox import sandbox

    monkeypatch.setattr(sandbox, "bubblewrap", lambda: "/bin/false")
    broken = Sandbox([], Level.SANDBOX, LIMITS, imports=())
    with broken, pytest.raises(SandboxFailed, match="exit status"):
        broken.session()
