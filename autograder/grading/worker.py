"""A process that grades one job after the other, in a sandbox of its own.

`workers` starts it, as `python -m autograder.grading.worker`, and watches it from outside: an endless call of
C code or an endless regular expression cannot be interrupted from within the process.
"""

import gc
import importlib
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection

from autograder.grading.assignment import Assignment
from autograder.grading.jobs import Ending, Job, Outcome, Ready
from autograder.grading.memory import private_bytes
from autograder.grading.sandbox.budget import Limits
from autograder.grading.sandbox.levels import Level, TooWeak
from autograder.grading.sandbox.namespaces import die_with_parent
from autograder.grading.sandbox.sandbox import Sandbox, SandboxFailed

_IMPORTED_BY_GRADCHECK = "torch.fx.experimental.symbolic_shapes"


def main() -> None:
    """Serve the connection whose number is the first argument, until the other side closes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it
    die_with_parent()
    connection: Connection = Connection(int(sys.argv[1]))
    with suppress(EOFError, OSError):
        try:
            _serve(connection, *connection.recv())
        except (SandboxFailed, TooWeak) as failure:
            connection.send(Ending(str(failure)))


def _serve(connection: Connection, level: Level, limits: Limits, core: int | None) -> None:
    """Grade jobs until the connection closes; raises SandboxFailed if a job cannot get a grade."""
    from autograder.exercises import EXERCISES

    # the sandbox takes longest to start: it gets all exercises, before the assignments are known
    with Sandbox([*EXERCISES.values()], level, limits, core=core) as sandbox:
        importlib.import_module(_IMPORTED_BY_GRADCHECK)
        import torch

        from autograder.grading.grade import grade_all

        torch.set_num_threads(1)
        with sandbox.session():
            pass  # the sandbox answers
        if core is not None:
            os.sched_setaffinity(0, {core})
        gc.collect()
        gc.freeze()  # later collections skip all imported objects
        connection.send(Ready())
        most = private_bytes() + limits.grader_memory
        assignments: Mapping[str, Assignment] = {}
        while private_bytes() <= most:
            message = connection.recv()
            if isinstance(message, Job):
                graded = grade_all(message.own or assignments, message.submissions, sandbox)
                connection.send(Outcome(message.student, graded))
            else:
                assignments = message
        connection.send(Ending())


if __name__ == "__main__":
    main()
