"""Work that would run for hours is stopped, and how busy the machine is has no say in it."""

import contextlib
import signal
import sys
import threading
import time

import pytest

from vjpcheck.errors import student_errors
from vjpcheck.time_limit import Stopped, TookTooLong, time_limit


@pytest.fixture(autouse=True)
def interrupts_arrive():
    """Have an interrupt raise KeyboardInterrupt, as in a notebook; processes of pytest-xdist ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def keep_on_spinning():
    while True:
        try:
            spin(60)
        except Exception:
            continue


def test_what_uses_the_processor_for_too_long_is_stopped():
    with pytest.raises(TookTooLong), time_limit(0.05):
        spin(60)


def test_no_handler_of_exceptions_holds_it_back():
    with pytest.raises(TookTooLong), time_limit(0.05):
        keep_on_spinning()


def test_what_waits_is_not_stopped():
    with time_limit(0.5):
        time.sleep(1.5)


def test_what_imports_modules_in_its_time_gets_it_once_more(monkeypatch):
    def import_and_spin(name, seconds):
        monkeypatch.setitem(sys.modules, name, sys)
        spin(seconds)

    with time_limit(0.2):
        import_and_spin("a_module_that_takes_long", 0.3)
    with pytest.raises(TookTooLong), time_limit(0.05):
        import_and_spin("another_module_that_takes_long", 60)


def test_nothing_is_raised_after_the_block():
    for _ in range(20):  # on a busy machine even this block may take its time
        with contextlib.suppress(TookTooLong), time_limit(0.01):
            pass
    spin(0.1)


def test_the_time_that_a_thread_needs_to_start_is_not_counted(monkeypatch):
    start = threading.Thread.start

    def start_late(thread):
        spin(0.3)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_late)
    with time_limit(0.2):
        pass


def hold_everything_back():
    while True:
        try:
            spin(60)
        except BaseException:
            continue


def test_not_even_a_handler_of_everything_holds_it_back_for_ever():
    with pytest.raises(Stopped), time_limit(0.05, Stopped):
        hold_everything_back()
    spin(0.1)  # and nothing is raised any more


@pytest.mark.parametrize("wait", [lambda: time.sleep(60), lambda: threading.Event().wait(60)])
def test_what_waits_for_much_longer_is_interrupted(wait, monkeypatch):
    monkeypatch.setattr("vjpcheck.time_limit.WAITING", 2.0)
    with pytest.raises(Stopped), time_limit(0.05, Stopped):
        wait()


def test_a_probe_keeps_an_exception_and_not_the_end_of_a_check():
    answer = {}
    with student_errors(answer, "backward"):
        raise TookTooLong
    assert answer["error"]["type"] == "TookTooLong"
    with pytest.raises(Stopped), student_errors({}, "backward"):
        raise Stopped


def test_an_interrupt_of_the_reader_stays_one():
    with pytest.raises(KeyboardInterrupt), time_limit(60):
        raise KeyboardInterrupt
