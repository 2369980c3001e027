"""Requests of a script go ahead; the answers come to whom they belong, whatever is asked."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.grading.ahead import AT_MOST, Requests, Script


class OtherSide:
    """Answers each frame of one byte with itself, and keeps what it was sent."""

    def __init__(self, *sections: bytes) -> None:
        self.sent: list[bytes] = []
        self._answers: deque[bytes] = deque()
        script = Script([[bytes([byte]) for byte in section] for section in sections])
        self.requests = Requests(self._send, self._answers.popleft, script)

    def _send(self, data: bytes) -> None:
        self.sent.append(data)
        self._answers.extend(bytes([byte]) for byte in data)

    def ask(self, frames: bytes) -> None:
        for byte in frames:
            assert self.requests.ask(bytes([byte])) == bytes([byte])


def test_what_follows_in_the_script_is_sent_together():
    other = OtherSide(b"abc")
    other.ask(b"abcd")
    assert other.sent == [b"abc", b"d"]


def test_the_next_section_is_not_sent_before_it_begins():
    other = OtherSide(b"ab", b"cd")
    other.ask(b"ab")
    assert other.sent == [b"ab"]
    other.ask(b"cd")
    assert other.sent == [b"ab", b"cd"]


def test_what_is_asked_in_between_is_answered_and_the_script_goes_on_behind_it():
    other = OtherSide(b"abcd")
    other.ask(b"axbcd")
    assert other.sent == [b"abcd", b"x", b"bcd"]


@given(st.lists(st.binary(max_size=8), max_size=4), st.binary(max_size=60))
def test_every_request_has_its_own_answer_in_order(sections, asked):
    OtherSide(*sections).ask(asked)


@pytest.mark.parametrize("length", [0, 1, AT_MOST, 100])
def test_no_more_is_under_way_than_a_socket_holds(length):
    frames = bytes(range(length))
    other = OtherSide(frames)
    other.ask(frames)
    assert b"".join(other.sent) == frames
    assert all(len(data) <= AT_MOST for data in other.sent)


def test_what_is_asked_can_be_recorded():
    record = [[]]
    requests = Requests(lambda _: None, lambda: None, record=record)
    requests.ask(b"one")
    record.append([])
    requests.ask(b"two")
    requests.ask(b"three")
    assert record == [[b"one"], [b"two", b"three"]]
