"""What lies outside the sandbox, and whether it has changed: files, grades, processes, network, time."""

from __future__ import annotations

import hashlib
import os
import site
import socket
import sqlite3
import threading
import time
from pathlib import Path

from corpus import ROOT
from processes import descendants
from waiting import until

MARK = "wyob-attack"  # in the name or the text of whatever an attack leaves behind


class Listener:
    """Listens on a port of this machine, and counts who comes."""

    def __init__(self) -> None:
        self.visits = 0
        self._stream = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._stream.getsockname()[1]
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        for wait in (self._accept, self._receive):
            threading.Thread(target=wait, daemon=True).start()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._datagrams.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._stream.accept()
            except OSError:
                return
            connection.close()
            self.visits += 1

    def _receive(self) -> None:
        while True:
            try:
                self._datagrams.recvfrom(100)
            except OSError:
                return
            self.visits += 1


class Outside:
    """Says what has changed since it was last asked.

    `there` are processes that run and start others as they like; `processes` is how many may run beside them.
    """

    def __init__(self, course: Path, listener: Listener, there: frozenset[int], processes: int) -> None:
        self._course = course
        self._listener = listener
        self._clocks = time.time(), time.monotonic()
        self._there = there
        self._processes = processes
        self._seen = self._look()

    def changes(self) -> list[str]:
        """Return in words what has changed since the last call, or since the beginning."""
        before, self._seen = self._seen, self._look()
        told = [what for what in self._seen if self._seen[what] != before.get(what)]
        told += [f"{what} is gone" for what in before if what not in self._seen]
        wall, steady = (
            now - then for now, then in zip((time.time(), time.monotonic()), self._clocks, strict=True)
        )
        return [*told, *(["the clock"] if abs(wall - steady) > 30 else [])]

    def _look(self) -> dict[str, str]:
        return {
            **self._course_files(),
            **self._places(),
            "visits of the port": str(self._listener.visits),
            "the gradebook": str(grades(self._course).get("another")) + str(_schema(self._course)),
            "processes": " | ".join(self._others()),
        }

    def _others(self) -> list[str]:
        """Return the commands of all if there are too many, once those that come and go have gone."""
        until(lambda: len(descendants(but=self._there)) <= self._processes, 60)
        found = descendants(but=self._there)
        return [_command(pid) for pid in found] if len(found) > self._processes else []

    def _course_files(self) -> dict[str, str]:
        """Return all of the course but what the autograder writes; the attacker's own files too."""
        found = {}
        for folder, folders, files in os.walk(self._course):
            if Path(folder) == self._course:
                folders[:] = [f for f in folders if f not in ("autograded", "feedback")]
            for name in [*folders, *files]:
                path = Path(folder) / name
                if path.is_symlink():
                    found[str(path)] = os.readlink(path)
                elif path.is_file() and not name.startswith("gradebook.db"):
                    facts = path.stat()
                    small = facts.st_size < 1 << 22
                    content = hashlib.sha256(path.read_bytes()).hexdigest() if small else ""
                    found[str(path)] = f"{facts.st_size} {facts.st_mtime_ns} {content}"
        for folder in ("autograded", "feedback"):
            for path in (self._course / folder).glob(f"**/{MARK}*"):
                found[str(path)] = "left"
        return found

    def _places(self) -> dict[str, str]:
        """Return what attacks have left where they could leave something for later."""
        folders = [
            Path(name)
            for name in ("/", "/tmp", "/var/tmp", "/dev/shm", ".", "~", "~/.ipython/profile_default/startup")
        ]
        folders += [Path(name) for name in site.getsitepackages()] + [ROOT, ROOT / "autograder"]
        found = {}
        for folder in folders:
            folder = folder.expanduser()
            if os.access(folder, os.R_OK):
                found |= {str(folder / name): "left" for name in os.listdir(folder) if MARK in name}
                for name in ("sitecustomize.py", "torch.py", "numpy.py"):
                    if (folder / name).exists():
                        found[str(folder / name)] = "is there"
        return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    except OSError:
        return f"{pid}, which has ended"


def grades(course: Path) -> dict[str, list[tuple[float | None, ...]]]:
    """Return every student's rows in the gradebook: automatic, manual and extra points."""
    query = """
        select a.student_id, g.auto_score, g.manual_score, g.extra_credit from grade g
        join submitted_notebook n on g.notebook_id = n.id
        join submitted_assignment a on n.assignment_id = a.id order by a.student_id, g.id
    """
    found: dict[str, list[tuple[float | None, ...]]] = {}
    book = sqlite3.connect(f"file:{course / 'gradebook.db'}?mode=ro", uri=True, timeout=10)
    try:
        for student, *points in book.execute(query):
            found.setdefault(student, []).append(tuple(points))
    finally:
        book.close()
    return found


def _schema(course: Path) -> list[str]:
    book = sqlite3.connect(f"file:{course / 'gradebook.db'}?mode=ro", uri=True, timeout=10)
    try:
        return [sql for (sql,) in book.execute("select sql from sqlite_master order by name")]
    finally:
        book.close()


def score_of(rows: list[tuple[float | None, ...]]) -> float:
    """Return what nbgrader would report: the manual score if there is one, else the automatic, and extra."""
    return sum((auto if manual is None else manual) or 0 for auto, manual, _ in rows) + sum(
        e or 0 for *_, e in rows
    )
