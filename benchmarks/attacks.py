"""The corpus of attacks against stock nbgrader and against the autograder: `make bench-attacks`.

Stock nbgrader runs as somebody without rights in namespaces of its own, with limits: what an attack does to
it, it does there. An attack says what its work deserves; honest work is graded after each, in the same run.
"""

from __future__ import annotations

import json
import os
import queue
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "attacks"), str(ROOT / "tests" / "support")]

from corpus import FULL, OF_ONE, Attack, corpus, submit_honest  # noqa: E402
from outside import Listener, Outside, grades, score_of  # noqa: E402
from trial import Seen, make_course, on_the_autograder  # noqa: E402

from autograder.grading.sandbox.bwrap import bubblewrap  # noqa: E402

SHARDS = 2
NOBODY = 1987  # and the next one for the other shard: what one has left must not keep it from starting
SECONDS_OF_A_CELL = 8
SECONDS_OF_A_RUN = 90
SECONDS_OF_A_ROW = SECONDS_OF_A_RUN + 30
INSIDE = "/srv"


def main() -> None:
    """Run both and print the table; with --inside, be the part that runs stock nbgrader."""
    if "--inside" in sys.argv:
        _inside(json.loads(sys.argv[-1]))
        return
    chosen = [a for a in corpus() if not sys.argv[1:] or {a.name, a.group} & set(sys.argv[1:])]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as scratch:
        course = make_course(Path(scratch) / "autograder", sorted({a.assignment for a in chosen}))
        template = shutil.copytree(course, Path(scratch) / "stock")
        template.chmod(0o755)
        with Listener() as listener:
            ours = {}
            for seen in on_the_autograder(course, chosen, listener):
                ours[seen.attack.name] = seen
                print(f"\rthe autograder: {len(ours)} of {len(chosen)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        _print(_on_stock(template, chosen), ours)


def _on_stock(course: Path, attacks: Sequence[Attack]) -> Iterator[dict[str, Any]]:
    """Yield for each attack its score, whether the run went on, and what had changed, as they come in."""
    names = [attack.name for attack in attacks]
    rows: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    for number in range(SHARDS):
        arguments = (course, names[number::SHARDS], str(NOBODY + number), rows)
        threading.Thread(target=_shard, args=arguments, daemon=True).start()
    for _ in range(SHARDS):
        yield from iter(rows.get, None)


def _shard(course: Path, names: list[str], user: str, rows: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Run attacks one after the other; one that ends or halts what runs them has stopped the run."""
    while names:
        command = [*_bwrap(course, user), json.dumps(names)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as process:
            stream = process.stdout
            while names and stream and select.select([stream], [], [], SECONDS_OF_A_ROW)[0]:
                line = stream.readline()
                if not line:
                    break
                row = json.loads(line)
                names.remove(row["name"])
                rows.put(row)
            process.kill()
        if names:
            rows.put({"name": names.pop(0), "score": None, "then": None, "changed": []})
    rows.put(None)


def _bwrap(course: Path, user: str) -> Iterator[str]:
    """Yield the command that runs this file as nobody, in namespaces, and a tmpfs where it may write."""
    yield from (
        "nice",
        "-n",
        "5",
        bubblewrap() or "bwrap",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    )
    for folder in (str(Path.home()), "/tmp", "/var/tmp", "/dev/shm", INSIDE):
        size = 1 << 30 if folder == INSIDE else 64 << 20
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", folder)
    shown = {Path(sys.base_prefix), Path(sys.prefix), ROOT}
    hidden = (Path.home(), Path("/tmp"), Path("/var/tmp"))
    for parent in sorted(
        {p for path in shown for p in path.parents if any(p.is_relative_to(h) for h in hidden)}
    ):
        if parent not in hidden:  # bubblewrap alone would let only their owner through
            yield from ("--perms", "0755", "--dir", str(parent))
    for path in shown:
        yield from ("--ro-bind", str(path), str(path))
    yield from ("--ro-bind", str(course), "/mnt", "--chdir", INSIDE)
    yield from [
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--as-pid-1",
        "--die-with-parent",
    ]
    yield from ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--clearenv"]
    for name, value in (
        ("PATH", f"{sys.prefix}/bin:/usr/bin:/bin"),
        ("HOME", f"{INSIDE}/home"),
        ("LANG", "C.UTF-8"),
    ):
        yield from ("--setenv", name, value)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "PYTHONDONTWRITEBYTECODE"):
        yield from ("--setenv", name, "1")
    yield from ("--setenv", "PYTHONPATH", str(ROOT), "--")
    yield from ("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs")
    yield from ("--pdeathsig", "KILL")  # which another user has lost
    yield from ("prlimit", "--nproc=150", f"--as={4 << 30}", f"--fsize={3 << 30}", "--core=0")
    yield from (sys.executable, str(Path(__file__)), "--inside")


def _inside(names: Sequence[str]) -> None:
    """Run each attack through `nbgrader autograde`, with honest work after it, a line of JSON each."""
    Path(INSIDE, "home").mkdir()
    listener = Listener()
    for attack in (attack for attack in corpus() if attack.name in names):
        course = Path(INSIDE, attack.name)
        shutil.copytree("/mnt", course)
        attack.submit(course, "attacker", listener.port)
        submit_honest(course, "honest", attack.assignment)
        outside = Outside(course, listener)
        ended = _autograde(course, attack.assignment)
        time.sleep(1)  # for what outlives the run
        row: dict[str, Any] = {"name": attack.name, "score": None, "then": None, "ended": ended}
        with suppress(Exception):
            found = grades(course)
            row["score"] = score_of(found["attacker"]) if "attacker" in found else None
            row["then"] = score_of(found["honest"]) if "honest" in found else None
        try:
            row["changed"] = [what[:200] for what in outside.changes()[:5]]
        except Exception as error:
            row["changed"] = [f"the gradebook ({error})"]
        print(json.dumps(row), flush=True)
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # this is the first process of its namespace: all but itself
        for leftover in (course, *Path("/tmp").iterdir(), *Path("/dev/shm").iterdir()):
            shutil.rmtree(leftover, ignore_errors=True) if leftover.is_dir() else leftover.unlink(
                missing_ok=True
            )


def _autograde(course: Path, assignment: str) -> str:
    command = [sys.executable, "-m", "nbgrader", "autograde", assignment, "--create"]
    command += [f"--ExecutePreprocessor.timeout={SECONDS_OF_A_CELL}"]
    process = subprocess.Popen(
        command, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return f"exit status {process.wait(SECONDS_OF_A_RUN)}"
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return f"hung for {SECONDS_OF_A_RUN} seconds"


def _print(rows: Iterator[dict[str, Any]], ours: dict[str, Seen]) -> None:
    heads = f"{'stock: score':>13} {'run':<6}{'outside':<10}{'autograder: score':>18} {'run':<6}outside"
    print(f"{'attack':<34}{heads}", flush=True)
    totals = [0] * 6
    for row in rows:
        seen = ours[row["name"]]
        facts = [
            (row["score"] or 0) > seen.attack.deserves, row["then"] != FULL, bool(row["changed"]),
            bool(seen.undeserved), seen.then != OF_ONE or bool(seen.fault), bool(seen.changed),
        ]  # fmt: skip
        totals = [total + fact for total, fact in zip(totals, facts, strict=True)]
        shown = "none" if row["score"] is None else f"{row['score']:g}"
        print(
            f"{row['name']:<34}{shown:>13} {'stops' if facts[1] else 'on':<6}"
            f"{'changed' if facts[2] else 'as it was':<10}"
            f"{f'{seen.score:g}' + (' ?' if seen.needs_person else ''):>18} "
            f"{'stops' if facts[4] else 'on':<6}{'changed' if facts[5] else 'as it was'}",
            flush=True,
        )
    print(
        f"{len(ours)} attacks. Stock nbgrader: {totals[0]} get more than they deserve, "
        f"{totals[1]} stop the run or cost others points, {totals[2]} change something outside. "
        f"The autograder: {totals[3]} that nobody is asked about, {totals[4]}, {totals[5]}. "
        "?: a person decides."
    )


if __name__ == "__main__":
    main()
