"""Runs the cells of one submission and answers what the verdict asks of the work in them."""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from itertools import islice
from typing import Any, BinaryIO

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder import wire
from autograder.capture import captured_output
from autograder.errors import describe_error, tell
from autograder.grading.intact import Snapshot
from autograder.grading.stand_in import stand_in
from autograder.grading.talk import OPEN, PRINTED, RUN
from autograder.result import CannotRun

_setprofile = sys.setprofile
_FIRST_CELL = "__import__('torch').manual_seed(__import__('torch').initial_seed())"


class _Incoming(io.RawIOBase):
    """Reads the socket, and sends what has been answered before it waits: many answers go in one write."""

    def __init__(self, connection: int, answers: BinaryIO) -> None:
        self._connection = connection
        self._answers = answers

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._answers.flush()
        return os.readv(self._connection, [buffer])


class Host:
    """Made once in the warm process; each submission's process serves one conversation with a copy of it."""

    def __init__(self, exercises: Mapping[str, Mapping[str, Any]]) -> None:
        self._exercises = {id_: stand_in(given) for id_, given in exercises.items()}
        for exercise in self._exercises.values():
            with suppress(Exception):  # it refuses None, and has then imported all that its probe needs
                exercise.probe(None)
        # the shell writes into the user's profile unless told not to
        self._shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
        for method in ("showtraceback", "showsyntaxerror"):
            setattr(self._shell, method, lambda *_, **__: None)
        self._stopped = ""
        self._probe: Any = None
        self._printed: Any = None
        # what a first cell, and a first seed, make the shell and torch import and look up is done here, once
        self._run(_FIRST_CELL if "torch" in sys.modules else "pass")
        self._intact = Snapshot()
        # the autograder's own, to be out of reach of an import; gathered here because a look at the names of
        # all modules copies some 1,800 pages in each process that takes it
        self._modules = {name: module for name, module in sys.modules.items() if _is_ours(name)}

    def serve(self, connection: int) -> None:
        """Answer requests until the other side closes the connection."""
        os.dup2(1, 2)  # which leads nowhere; the warm process keeps its own stderr for the autograder
        answers = os.fdopen(os.dup(connection), "wb")
        requests = io.BufferedReader(_Incoming(connection, answers))
        self._forget_the_autograder(self._modules)
        answers.write(wire.encode({"answer": None}))
        with ExitStack() as capture:
            while True:
                try:
                    request = wire.receive(requests)
                except wire.BrokenFrame:
                    return
                answer = self._answer(request, capture)
                try:
                    frame = wire.encode(answer)
                except (TypeError, ValueError) as error:
                    frame = wire.encode({"cannot_run": f"The work gives what is no plain data: {error}."})
                answers.write(frame)

    def _forget_the_autograder(self, names: Iterable[str]) -> None:
        """Keep the probes that are there, and let a submission import none of them."""
        for name in [name for name in names if _is_ours(name)]:
            self._modules[name] = sys.modules.pop(name)

    def _open(self, exercise_id: str, expression: str) -> None:
        stopped, self._stopped = self._stopped, ""
        work = self._take(expression, stopped)
        # a probe imported anew would take what the submission has left of torch
        sys.modules.update(self._modules)
        count = len(sys.modules)
        try:
            self._probe = self._exercises[exercise_id].probe(work)
        finally:
            imported = islice(reversed(sys.modules), max(0, len(sys.modules) - count))
            self._forget_the_autograder([*self._modules, *imported])

    def _answer(self, request: Any, capture: ExitStack) -> dict[str, Any]:
        method, arguments = request["method"], request["arguments"]
        try:
            if method == RUN:
                capture.close()
                return {"answer": [self._run(source) for source in arguments[0]]}
            if method == OPEN:
                capture.close()
                self._printed = capture.enter_context(captured_output())
                self._open(*arguments)
                return {"answer": None}
            if method == PRINTED:
                return {"answer": self._printed.getvalue() if self._printed else ""}
            _setprofile(None)  # a profiler that is there already would keep the probe's own off
            if method == "hidden_autograd":
                return {"answer": self._hidden_autograd()}
            return {"answer": getattr(self._probe, method)(*arguments)}
        except CannotRun as refusal:
            return {"cannot_run": str(refusal)}
        except BaseException as error:
            told = tell(describe_error(error, "An answer to the autograder"))
            return {"cannot_run": told}

    def _hidden_autograd(self) -> str:
        replaced = self._intact.replaced(self._probe)
        if replaced:
            return f"{replaced}, which is the autograder's own, was replaced in the notebook's process"
        return str(self._probe.hidden_autograd())

    def _run(self, source: str) -> dict[str, str]:
        with captured_output() as printed:
            outcome = self._shell.run_cell(source, silent=True)
        raised = outcome.error_before_exec or outcome.error_in_exec
        stopped = "" if raised is None else _told(raised)
        self._stopped = self._stopped or stopped
        return {"printed": printed.getvalue(), "stopped": stopped}

    def _take(self, expression: str, stopped: str) -> Any:
        try:
            return builtins.eval(expression, self._shell.user_ns)
        except BaseException as error:
            before = f" A cell before it stopped: {stopped}" if stopped else ""
            raise CannotRun(f"There is no {expression} to be graded: {_told(error)}.{before}") from None


def _is_ours(name: str) -> bool:
    return name.startswith("autograder.")


def _told(error: BaseException) -> str:
    told = describe_error(error, "")
    if isinstance(error, SyntaxError) and error.lineno:
        told["line"] = f"line {error.lineno}"
    where = f" ({told['line']})" if told["line"] else ""
    return f"{told['type']}{where}: {told['message']}".rstrip(": ")
