"""Submissions that are hard to read: each builder writes one, and says what it tries."""

from __future__ import annotations

from structure import Submission, attack


def _with(to: Submission, code: str) -> None:
    to.cell("kill_head")["source"] += f"\n\n{code}\n"
    to.write()


@attack
def list_of_four_megabytes(to: Submission) -> None:
    """A list display of four megabytes, of which a parser makes very many objects."""
    _with(to, f"x = [{'0, ' * 1_400_000}]")


@attack
def seven_megabytes_of_code(to: Submission) -> None:
    """Seven megabytes of ordinary statements."""
    _with(to, "x = 1\n" * 1_200_000)


@attack
def sum_of_seven_hundred(to: Submission) -> None:
    """A sum of 700 terms, whose syntax tree is as deep."""
    _with(to, f"x = {' + '.join(['1'] * 700)}")


@attack
def chain_of_calls(to: Submission) -> None:
    """A method called on the result of a method, two thousand times."""
    _with(to, f"x = torch.zeros(1){'.neg()' * 2000}")


@attack
def many_small_cells(to: Submission) -> None:
    """Two hundred added cells, each of which takes a long time to be displayed."""
    source = "[[str(i) * 30 for i in range(300)] for _ in range(30)]"
    cells = to.notebook["cells"]
    cells += [{**to.cell("kill_head"), "id": f"n{n}", "metadata": {}, "source": source} for n in range(200)]
    to.write()


@attack
def line_of_three_megabytes(to: Submission) -> None:
    """An error in a line of three megabytes, which whoever explains the error may quote."""
    _with(to, f"x = '{'<' * 3_000_000}' + 1")
