"""Requests that are announced go ahead; the answers come to whom they belong, whatever is asked."""

from collections import deque

import pytest

from autograder.grading.ahead import AT_MOST, Requests


@pytest.fixture
def other_side():
    """A side that answers each frame of one byte with itself, and what it was sent."""
    sent: list[bytes] = []
    answers: deque[bytes] = deque()

    def send(data: bytes) -> None:
        sent.append(data)
        answers.extend(bytes([byte]) for byte in data)

    return Requests(send, answers.popleft), sent


def test_what_is_announced_is_sent_together_and_answered_in_order(other_side):
    requests, sent = other_side
    requests.announce([b"a", b"b", b"c"])
    assert [requests.ask(frame) for frame in (b"a", b"b", b"c", b"d")] == [b"a", b"b", b"c", b"d"]
    assert sent == [b"abc", b"d"]


def test_what_is_asked_otherwise_has_its_own_answer(other_side):
    requests, _ = other_side
    requests.announce([b"a", b"b", b"c"])
    assert [requests.ask(frame) for frame in (b"a", b"x", b"b", b"c")] == [b"a", b"x", b"b", b"c"]


def test_no_more_is_under_way_than_a_socket_holds(other_side):
    requests, sent = other_side
    frames = [bytes([number]) for number in range(100)]
    requests.announce(frames)
    assert [requests.ask(frame) for frame in frames] == frames
    assert max(map(len, sent)) <= AT_MOST
