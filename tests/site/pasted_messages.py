"""PyTorch's messages of the table of mistakes as readers paste them: with other names, shapes, numbers."""

import re
from collections import defaultdict
from html import unescape
from pathlib import Path

ENTRY = re.compile(r'<section id="([a-z-]+)">\s*<details>(.*?)</details>', re.DOTALL)
SAID = re.compile(r'<div class="[^"]*\bpytorch\b[^"]*">.*?<pre>(.*?)</pre>', re.DOTALL)
OWN_NAME = re.compile(r"\b(?!NoneType|\w*(?:Error|Tensor)\b)(?:[A-Z][a-z]+){2,}\b")
OWN_ARGUMENT = re.compile(r"'(?!NoneType|Tensor)[a-z]\w*'")


def with_other_names(message: str) -> str:
    """Return a message with a reader's names and numbers in place of those of the table."""
    named = OWN_NAME.sub(lambda name: "MyOpBackward" if name[0].endswith("Backward") else "MyOp", message)
    numbered = re.sub(r"\b\d+", "17", OWN_ARGUMENT.sub("'my_bias'", named))
    return re.sub(r"17(, 17)+", "17, 17, 17", re.sub(r"\[17\]", "[17, 17]", numbered))


def of_table(html: Path) -> dict[str, set[str]]:
    """Return each message that a reader may paste, with the ids of the mistakes that have it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, entry in ENTRY.findall((html / "mistakes.html").read_text(encoding="utf-8")):
        for said in SAID.findall(entry):
            text = unescape(re.sub(r"<[^>]+>", "", said)).strip()
            found[with_other_names(text)].add(name)
    return dict(found)
