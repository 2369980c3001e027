"""Judges the answers about the eight Functions, each on its own.

The right ids are only hashes here, so that no print shows them; a test compares them with the autograder's.
"""

import difflib
from collections.abc import Callable, Iterator
from hashlib import sha256

import numpy as np

from autograder.tasks.find_the_bugs.probe import Probe
from autograder.tasks.findings import wrong
from vjpcheck.ask.protocol import ProbeClient
from vjpcheck.mistakes import MISTAKES
from vjpcheck.result import Finding

HASHES = {
    "Linear": "a4ca53e6c7f5379c61c8e4acaa023bc68230faa6d9f2891a17e993ee0dc6dcef",
    "Relu": "152dab512c66baac599334d4d42353b899223c854ec8cb1e1131d75d514e641a",
    "Multiply": "d4daf9aa112b35fd32b08722cb9073c63576733b7eba1d2e9660deaae73730b7",
    "Exp": "3449ad28eb1b89c6a62eee73cc98ffceb2abbe5d139b427191e83352d0b8fb92",
    "TakeRows": "26bcdd6d758bc3edee3a6c2c376d6c15d377ecc55d860b426a324d2218db2264",
    "Reorder": "00f528eb5bbfa08fe60db7d4e6ca640da2cd0bb75e33ed12520f5ed15398980c",
    "AddBias": "356c606e5d80fae735cfea780de6ef77290d33de61f94407991e2a3e28204619",
    "ScaleAndShift": "4b2870241afdb29056a2bc1d63affe6616e802ce5ce2e5613233abcbb34b8535",
}
HINTS = {
    "Linear": "gradcheck passes because the engine sums. Compare the shapes that backward returns.",
    "Relu": "The gradient is right. Compare the cotangent before and after backward.",
    "Multiply": "Call it twice before the first backward pass.",
    "Exp": "The gradient is right. Which objects refer to each other after the call?",
    "TakeRows": "Try an index that contains the same row twice, and one that does not.",
    "Reorder": "Try a permutation of two rows, then one that rotates three rows.",
    "AddBias": "Divide the gradient that you get by the expected gradient, for several n.",
    "ScaleAndShift": "Let only one of the three inputs require grad, and try each of them.",
}


def hashed(name: str, mistake: str) -> str:
    """Return the hash of a Function's name and a mistake, as in HASHES."""
    return sha256(f"{name}: {mistake}".encode()).hexdigest()


def _of(name: str) -> Callable[[ProbeClient, np.random.Generator], Iterator[Finding]]:
    def findings(probe: ProbeClient, generator: np.random.Generator) -> Iterator[Finding]:
        entries = probe.call(Probe.answers)
        if name not in entries:
            yield wrong(f"{name} is missing from the dict.{_misspelt(name, entries)}", None, name)
            return
        answer = entries[name]
        mistake = (answer or "").strip().strip("`").lower().replace("_", "-")
        if not mistake:
            yield wrong(f"{name} has no answer yet: a mistake's id, as a string.", None, name, HINTS[name])
        elif mistake not in MISTAKES:
            near = difflib.get_close_matches(mistake, MISTAKES, n=2)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            yield wrong(f"{name}: there is no mistake with the id {answer!r}.{hint}", None, name, HINTS[name])
        elif hashed(name, mistake) != HASHES[name]:
            yield wrong(f"{name}: its mistake is not {mistake}.", None, name, HINTS[name])

    return findings


def _misspelt(name: str, entries: dict[str, str | None]) -> str:
    near = [entry for entry in difflib.get_close_matches(name, entries, n=3) if entry not in HASHES]
    return f" Did you mean {near[0]!r} to be this entry?" if near else ""


CHECKS = {name: _of(name) for name in HASHES}
