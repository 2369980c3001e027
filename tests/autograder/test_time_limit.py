"""Work that would run for hours is stopped, and how busy the machine is has no say in it."""

import time

import pytest

from autograder.time_limit import TookTooLong, time_limit


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


def test_nothing_is_raised_after_the_block():
    for _ in range(20):
        with time_limit(0.01):
            pass
    spin(0.1)
