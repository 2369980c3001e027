"""Draws the pictures that are stored in the repository: `make pictures`."""

from __future__ import annotations

from pathlib import Path

import graphviz
from loop_picture import loop
from terminal_picture import as_svg

from course.engine import Tensor, sin
from course.graph import Graph, record
from vjpcheck import diagnose
from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.render.text import as_text
from vjpcheck.source_file import load

# an arrow goes from what imports to what is imported
MAP = """digraph {
    graph [bgcolor=transparent, ranksep=0.35, nodesep=0.25]
    node [shape=box, style="rounded,filled", fillcolor="#f4f1e8"]
    node [color="#8a8475", fontname="Helvetica", fontsize=11, margin="0.35,0.1"]
    edge [color="#8a8475", arrowsize=0.7]
    notebooks [label="course/*.ipynb, solutions/", fillcolor="#e3edf7"]
    class [label="autograder/\ngrading/   report/   platforms/"]
    check [label="autograder/check.py   cli.py"]
    judges [label="autograder/\nexercises/   tasks/ID/verdict.py"]
    vjpcheck [label="vjpcheck/\njudge.py   checks/   naming/   truth/"]
    probes [label="vjpcheck/probe/   autograder/tasks/ID/probe.py\nbeside the student's code"]
    probes [fillcolor="#fbe9dd"]
    ground [label="vjpcheck/\nspec.py   domain.py   ask/   result.py   mistakes.py"]
    graph_ [label="course/graph"]
    engine [label="course/engine"]
    backend [label="autograder/engine/"]
    notebooks -> check
    notebooks -> graph_ -> engine
    class -> check -> judges -> vjpcheck -> ground
    vjpcheck -> probes [style=dashed, label="  requests in lists", fontname="Helvetica", fontsize=10]
    probes -> ground
    judges -> backend -> engine
}
"""
ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "site" / "pictures"
DIAGNOSED = ("site/gallery/02_softmax_across_rows.py", "Softmax", "randn(1, 3)")


def card() -> str:
    """Return the picture of what `vjpcheck` says of a softmax that gradcheck passes."""
    file, name, inputs = DIAGNOSED
    result = diagnose(load(ROOT / file, name), *evaluate(inputs))
    command = f'$ .venv/bin/vjpcheck {file}:{name} --inputs "{inputs}"'
    alt = f"vjpcheck says {result.findings[0].mistake} and marks where the Jacobian is wrong"
    return as_svg(f"{command}\n{as_text(result, colour=True)}", alt)


def five_nodes() -> Graph:
    """Record the graph of lesson 1."""
    w1, w2 = Tensor(2.0, requires_grad=True), Tensor(3.0, requires_grad=True)
    w3, w4 = w1 * w2, sin(w1)
    w5 = w3 + w4
    return record(w5)


def main() -> None:
    """Draw the running graph of lesson 1 and a card for the README, and the map for CONTRIBUTING.md."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / "loop.svg").write_text(loop(five_nodes()))
    (PICTURES / "loop-narrow.svg").write_text(loop(five_nodes(), narrow=True))
    (PICTURES / "diagnose.svg").write_text(card())
    (PICTURES / "map.svg").write_text(graphviz.Source(MAP).pipe(format="svg", encoding="utf-8"))


if __name__ == "__main__":
    main()
