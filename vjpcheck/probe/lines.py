"""Records the lines of a student's work that run during the trials, and reports those that never ran.

Only the student's own functions are recorded. From Python 3.12 on, `sys.monitoring` calls back once for each
of their lines. In older versions a trace function slows down all Python code of its thread. So it is set only
while the probe answers, until every line has run, and for a bounded number of events, because the time of the
work is limited. A trace function of a debugger, a coverage tool or the work itself is kept. If some lines
could not be recorded, nothing is reported.

The functions that are called here are looked up at import, before any student's code runs.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property, partial
from types import CodeType, FrameType
from typing import Any

from vjpcheck.ask.answers import NeverRan, Unreached
from vjpcheck.errors import student_errors
from vjpcheck.probe.own_code import OwnCode, own_code
from vjpcheck.probe.statements import Statement, source_of, statements_of

PARTS_AT_MOST = 50  # in one answer
EVENTS_AT_MOST = 200_000  # of a trace function, for one piece of work: about 0.3 s

_gettrace, _settrace, _followed, _follow = (
    sys.gettrace,
    sys.settrace,
    threading.gettrace,
    threading.settrace,
)


class LineNotes:
    """Records the lines of a piece of work that run in the blocks `noting`."""

    def __init__(self, work: Any) -> None:
        self._work = work
        self._disturbed = False

    @cached_property
    def _functions(self) -> list[_Function]:
        functions: list[_Function] = []
        with student_errors({}, ""):  # odd objects of the work may raise
            functions += [_Function(own, s) for own in own_code(self._work) if (s := statements_of(own.code))]
        return functions

    @cached_property
    def _watch(self) -> _Watch:
        return _Watch(self._functions)

    def noting(self) -> AbstractContextManager[None]:
        """Record the lines that the block runs."""
        if self._disturbed or not self._watch.waiting:
            return nullcontext()
        return self._noting()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        undisturbed: list[bool] = []
        try:
            with self._watch.on(undisturbed):
                yield
        finally:
            self._disturbed = not undisturbed

    def unreached(self) -> list[Unreached]:
        """Return the parts of the work that never ran; nothing if some lines could not be recorded."""
        if self._disturbed:
            return []
        named = frozenset(name for function in self._functions for name in function.names_reached())
        parts = [part for function in self._functions for part in function.unreached(named)]
        return sorted(parts, key=lambda part: part["first"])[:PARTS_AT_MOST]


class NotingProbe:
    """Answers like a probe, and records the lines of the work that run meanwhile."""

    def __init__(self, probe: Any, work: Any) -> None:
        self._probe, self._notes = probe, LineNotes(work)
        self._raised = False

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return partial(self._answer, getattr(self._probe, method))

    def _answer(self, method: Callable[..., Any], *arguments: Any) -> Any:
        with self._notes.noting():
            answer = method(*arguments)
        self._raised |= type(answer) is dict and "error" in answer
        return answer

    def never_ran(self) -> NeverRan:
        """Return the parts of the work that no request has reached so far, and whether the work raised."""
        return {"parts": self._notes.unreached(), "raised": self._raised}


class _Function:
    """One function of the student's, and its statements that have not run yet."""

    def __init__(self, own: OwnCode, statements: tuple[Statement, ...]) -> None:
        self.code, self._called, self._statements = own.code, own.called, statements
        every = [inner for statement in statements for inner in statement.all()]
        self._by_line = {line: statement for statement in reversed(every) for line in statement.lines}
        self.waiting = set(self._by_line.values())
        self._entered = False

    def note(self, line: int) -> None:
        """Record that a line runs."""
        self._entered = True
        statement = self._by_line.get(line)
        if statement is not None:
            self.waiting.discard(statement)

    def names_reached(self) -> Iterator[str]:
        """Yield the names in statements that ran."""
        for statement in set(self._by_line.values()) - self.waiting:
            yield from statement.names

    def unreached(self, named: frozenset[str]) -> Iterator[Unreached]:
        """Yield the parts that never ran; `named` are the names in all statements that ran.

        A function that was never called is one part. It is left out if neither a library calls it by its
        name, such as `jvp`, nor a statement that ran mentions it: it is then unused, or the statement that
        would call it is reported.
        """
        if self._entered:
            yield from self._in_block(self._statements)
        elif self._called or self.code.co_name in named:
            yield self._part(self._statements, self.code.co_qualname.rpartition("<locals>.")[2])

    def _in_block(self, block: Iterable[Statement]) -> Iterator[Unreached]:
        together: list[Statement] = []
        for statement in block:
            if statement in self.waiting:
                together.append(statement)
                continue
            if together:
                yield self._part(together)
            together = []
            for inner in statement.blocks:
                yield from self._in_block(inner)
        if together:
            yield self._part(together)

    def _part(self, statements: Iterable[Statement], function: str = "") -> Unreached:
        statements = [*statements]
        first = self.code.co_firstlineno if function else statements[0].first
        end = first if function or statements[0].blocks else statements[0].last
        return {
            "function": function,
            "first": first,
            "last": statements[-1].last,
            "count": sum(statement.count() for statement in statements),
            "source": source_of(self.code, first, end),
        }


class _Watching:
    """The functions whose lines are recorded."""

    def __init__(self, functions: Iterable[_Function]) -> None:
        self._by_code = {id(function.code): function for function in functions}

    @property
    def waiting(self) -> bool:
        """Return whether some statement has not run yet."""
        return any(function.waiting for function in self._by_code.values())


class _Tracing(_Watching):
    """Records the lines by a trace function, in this thread and in those that `threading` starts."""

    def __init__(self, functions: Iterable[_Function]) -> None:
        super().__init__(functions)
        self._files = {function.code.co_filename for function in self._by_code.values()}
        self._left, self._modules = EVENTS_AT_MOST, len(sys.modules)

    @contextmanager
    def on(self, undisturbed: list[bool]) -> Iterator[None]:
        """Record the lines that the block runs; append to `undisturbed` if nothing else traces it."""
        if _gettrace() is not None:
            yield
            return
        enter, followed = self._tracer(), _followed()
        if followed is None:
            _follow(enter)
        _settrace(enter)
        try:
            yield
        finally:
            if _gettrace() is enter:
                _settrace(None)
                undisturbed.append(True)
            elif _gettrace() is None and not self.waiting:  # switched off by `line`, after the last line
                undisturbed.append(True)
            if followed is None:
                _follow(None)

    def _is_over(self) -> bool:
        """Return whether there were too many events since the last import: PyTorch imports lazily."""
        self._left -= 1
        if self._left < 0 and len(sys.modules) > self._modules:
            self._left, self._modules = EVENTS_AT_MOST, len(sys.modules)
        return self._left < 0

    def _tracer(self) -> Callable[[FrameType, str, Any], Any]:
        by_code, files = self._by_code, self._files

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            if self._is_over():
                _settrace(None)
                return None
            code = frame.f_code
            if code.co_filename not in files or id(code) not in by_code:
                return None
            function = by_code[id(code)]
            if not function.waiting:
                return None

            def line(frame: FrameType, event: str, argument: Any) -> Any:
                if event == "line":
                    function.note(frame.f_lineno)
                over = self._is_over()
                if not function.waiting or over:
                    frame.f_trace = None
                    if over or not self.waiting:
                        _settrace(None)
                    return None
                return line

            return line

        return enter


if sys.version_info >= (3, 12):
    _monitoring = sys.monitoring
    _TOOL_IDS = (3, 4)  # sys.monitoring reserves the other ids for kinds of tools

    class _Monitoring(_Watching):
        """Records the lines by events of the functions' own code, in all threads."""

        @contextmanager
        def on(self, undisturbed: list[bool]) -> Iterator[None]:
            """Record the lines that the block runs; append to `undisturbed` if that was possible."""
            tool = next((free for free in _TOOL_IDS if _monitoring.get_tool(free) is None), None)
            if tool is None:
                yield
                return
            line = _monitoring.events.LINE
            codes = [function.code for function in self._by_code.values() if function.waiting]
            _monitoring.use_tool_id(tool, "vjpcheck")
            _monitoring.register_callback(tool, line, self._note)
            for code in codes:  # also enables the events that an earlier block disabled
                _monitoring.set_local_events(tool, code, line)
            try:
                yield
            finally:
                if _monitoring.get_tool(tool) == "vjpcheck":
                    for code in codes:
                        _monitoring.set_local_events(tool, code, _monitoring.events.NO_EVENTS)
                    _monitoring.register_callback(tool, line, None)
                    _monitoring.free_tool_id(tool)
                    undisturbed.append(True)

        def _note(self, code: CodeType, line: int) -> Any:
            self._by_code[id(code)].note(line)
            return _monitoring.DISABLE

    _Watch = _Monitoring
else:
    _Watch = _Tracing
