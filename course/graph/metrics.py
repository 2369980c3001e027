"""How wide a text is in Helvetica, Arial or Liberation Sans, which share their widths."""

from functools import lru_cache

# Thousandths of the font size, for the characters from the space to the tilde (Adobe's Helvetica metrics).
ASCII = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 "
    "556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 "
    "722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 "
    "500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 "
)
WIDTHS = {chr(32 + place): int(width) for place, width in enumerate(ASCII.split())}
WIDTHS |= dict.fromkeys("₀₁₂₃₄₅₆₇₈₉", 350) | dict.fromkeys("×÷−", 584) | {"∂": 530, "…": 1000}
WIDTHS |= {"\N{COMBINING MACRON}": 0, "\N{COMBINING OVERLINE}": 0}
BOLD = 1.08  # a bold text is about so much wider


def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of one line of text, in the unit of the font size."""
    return _thousandths(text) * size / 1000 * (BOLD if bold else 1)


@lru_cache(maxsize=10_000)  # a large graph says the same few things over and over
def _thousandths(text: str) -> int:
    return sum(WIDTHS.get(letter, 700) for letter in text)
