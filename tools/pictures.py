"""Draws the pictures that are stored in the repository: `make pictures`."""

from __future__ import annotations

from pathlib import Path

from course.engine import Tensor, sin
from course.graph import draw

PICTURES = Path(__file__).resolve().parent.parent / "site" / "pictures"


def main() -> None:
    """Draw the graph of lesson 1 for the README."""
    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / "five-nodes.svg").write_text(draw(w5).svg())


if __name__ == "__main__":
    main()
