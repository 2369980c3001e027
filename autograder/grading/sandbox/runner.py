"""Runs the cells of one submission and answers the verdict's requests about the work in them."""

import builtins
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.guards.allowed import MayUse
from autograder.guards.cells import GuardedCells
from vjpcheck.ask import wire
from vjpcheck.ask.protocol import TEXT_AT_MOST, TOO_LARGE, answers
from vjpcheck.capture import captured_output
from vjpcheck.errors import brief, describe_error, tell
from vjpcheck.probes import Subject, probe_of
from vjpcheck.result import CannotRun

_setprofile, _settrace = sys.setprofile, sys.settrace
_FIRST_CELL = "__import__('torch').manual_seed(__import__('torch').initial_seed())"


class CellRunner:
    """Runs cells and answers requests. Each submission's process has a copy, made in the fork server."""

    def __init__(self, subjects: Sequence[Mapping[str, Any]]) -> None:
        for subject in (Subject(**fields) for fields in subjects):
            with suppress(Exception):  # the probe refuses None, but its module is imported then
                probe_of(subject, None)
        # by default the shell writes its history into the user's profile
        self._shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
        for method in ("showtraceback", "showsyntaxerror"):
            setattr(self._shell, method, lambda *_, **__: None)
        self._stopped = ""
        self._guarded: GuardedCells | None = None
        self._probe: Any = None
        self._printed: Any = None
        # a first cell and a first seed make the shell and torch import further modules: do that here, once
        self._run(_FIRST_CELL if "torch" in sys.modules else "pass")
        # hidden from the submission's imports; collected here because iterating sys.modules in a fork would
        # copy some 1,800 pages
        self._modules = {name: module for name, module in sys.modules.items() if _is_ours(name)}

    def serve(self, connection: int) -> None:
        """Answer requests until the other side closes the connection."""
        os.dup2(1, 2)  # stderr too goes to the null device from here on
        requests, replies = os.fdopen(connection, "rb"), os.fdopen(os.dup(connection), "wb")
        self._hide_modules(self._modules)
        replies.write(wire.encode({"reply": None}))
        replies.flush()
        with ExitStack() as capture:
            while True:
                try:
                    message = wire.receive(requests)
                except wire.BrokenFrame:
                    return
                reply = self._reply(message, capture)
                try:
                    frame = wire.encode(reply)
                except (TypeError, ValueError) as error:
                    frame = wire.encode({"cannot_run": f"The work gives what is no plain data: {error}."})
                except MemoryError:
                    frame = wire.encode({"cannot_run": TOO_LARGE})
                if not wire.fits(frame, *message["at_most"]):
                    frame = wire.encode({"cannot_run": TOO_LARGE})
                replies.write(frame)
                replies.flush()

    def _hide_modules(self, names: Iterable[str]) -> None:
        """Remove the autograder's modules from sys.modules, and keep them for the probes."""
        for name in [name for name in names if _is_ours(name)]:
            self._modules[name] = sys.modules.pop(name)

    def _open(self, subject: Mapping[str, Any], expression: str) -> None:
        stopped, self._stopped = self._stopped, ""
        work = self._take(expression, stopped)
        # otherwise a probe would import its modules again, after the submission may have changed torch
        sys.modules.update(self._modules)
        count = len(sys.modules)
        try:
            self._probe = probe_of(Subject(**subject), work)
        finally:
            imported = islice(reversed(sys.modules), max(0, len(sys.modules) - count))
            self._hide_modules([*self._modules, *imported])

    def _reply(self, message: Any, capture: ExitStack) -> dict[str, Any]:
        try:
            if "run" in message:
                capture.close()
                return {"reply": [self._run(source, message.get("may_use")) for source in message["run"]]}
            if "refused" in message:
                return {"reply": "\n".join(self._guarded.refused() if self._guarded else [])[:TEXT_AT_MOST]}
            if "open" in message:
                capture.close()
                self._printed = capture.enter_context(captured_output())
                self._open(*message["open"])
                return {"reply": None}
            if "printed" in message:
                return {"reply": self._printed.getvalue()[:TEXT_AT_MOST] if self._printed else ""}
            # a profiler that the submission has set would keep the probe's own from being set
            _setprofile(None)
            _settrace(None)
            return {"reply": answers(self._probe, message["ask"])}
        except CannotRun as refusal:
            return {"cannot_run": str(refusal)}
        except BaseException as error:
            return {"cannot_run": tell(describe_error(error, "An answer to the autograder"))}

    def _run(self, source: str, may_use: Sequence[MayUse] | None = None) -> dict[str, str]:
        """Run a cell: under guards if `may_use` says what its exercises may use, else as a notebook does."""
        with captured_output() as printed:
            if may_use is None:
                outcome = self._shell.run_cell(source, silent=True)
                raised = outcome.error_before_exec or outcome.error_in_exec
            else:
                self._guarded = self._guarded or GuardedCells(
                    self._shell.user_ns, self._shell.transform_cell, may_use
                )
                raised = self._guarded.run(source)
        stopped = "" if raised is None else brief(raised)
        self._stopped = self._stopped or stopped
        return {"printed": printed.getvalue()[:TEXT_AT_MOST], "stopped": stopped}

    def _take(self, expression: str, stopped: str) -> Any:
        try:
            return builtins.eval(expression, self._shell.user_ns)
        except BaseException as error:
            earlier = f" A cell before it stopped: {stopped}" if stopped else ""
            raise CannotRun(f"There is no {expression} to be graded: {brief(error)}.{earlier}") from None


def _is_ours(name: str) -> bool:
    return name.startswith(("autograder.", "vjpcheck."))
