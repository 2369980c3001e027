"""Renders a result for an issue: in Markdown, with code that repeats the finding in PyTorch alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from vjpcheck.escaping import visible
from vjpcheck.mistakes import why
from vjpcheck.render.as_json import versions
from vjpcheck.render.text import not_reached, state
from vjpcheck.result import Finding, Numbers, Result


def as_markdown(result: Result, where: str) -> str:
    """Return a report: the verdict, each finding, code that shows the first wrong gradient, the versions."""
    lines = [f"### `{visible(where)}`: {state(result)}", ""]
    lines += [visible(text) for text in (result.refusal, result.truth) if text]
    for finding in result.findings:
        lines += ["", *_finding(finding)]
    waiting = [f"- {o.check}: {not_reached(o)}" for o in result.outcomes if not o.reached]
    lines += ["", *waiting] if waiting else []
    shown = next((finding for finding in result.findings if finding.numbers is not None), None)
    if shown is not None and shown.numbers is not None:
        lines += ["", "```python", *_repeated(result, where, shown.input or "", shown.numbers), "```"]
    lines += ["", ", ".join(f"{name} {version}" for name, version in versions().items())]
    return "\n".join(lines)


def _finding(finding: Finding) -> list[str]:
    kind = "warning" if finding.warning else "error"
    name = f"`{finding.mistake}`: " if finding.mistake else ""
    lines = [f"**{finding.check}**, {kind}: {name}{visible(finding.message)}"]
    lines += [f"Seen in {visible(finding.seen)}"] if finding.seen else []
    lines += [why(finding)] if finding.mistake else []
    return "  \n".join(lines).split("\n")


def _repeated(result: Result, where: str, wrong: str, numbers: Numbers) -> list[str]:
    """Return lines of code that run one backward pass; both gradients stand in comments."""
    # the contract is that of a Function; other work is called as it is
    call = f"{result.name}.apply" if "contract" in result.points else result.name
    lines = ["import torch", "", f"# {call} is that of {where}"]
    for each, argument in numbers.arguments.items():
        flag = ", requires_grad=True" if each == wrong else ""
        lines.append(f"{each} = {_source(argument, flag)}")
    lines += [f"outputs = {call}({', '.join(numbers.arguments)})"]
    cotangents = [_source(each) for each in numbers.cotangents]
    if len(cotangents) == 1:
        lines.append(f"(gradient,) = torch.autograd.grad(outputs, {wrong}, {cotangents[0]})")
    else:
        used = [place for place, each in enumerate(numbers.cotangents) if each is not None]
        outputs = ", ".join(f"outputs[{place}]" for place in used)
        seeds = ", ".join(cotangents[place] for place in used)
        lines.append(f"(gradient,) = torch.autograd.grad([{outputs}], {wrong}, [{seeds}])")
    lines.append("print(gradient)")
    return [*lines, f"# it is        {_row(numbers.observed)}", f"# it should be {_row(numbers.true)}"]


def _row(array: np.ndarray) -> str:
    return np.array2string(array, separator=", ", precision=6).replace("\n", " ")


def _source(value: Any, flag: str = "") -> str:
    if isinstance(value, np.ndarray):
        dtype = f", dtype=torch.{value.dtype}" if value.dtype.kind == "f" else ""
        return f"torch.tensor({value.tolist()}{dtype}{flag})"
    if isinstance(value, dict):
        ((kind, items),) = value.items()
        return repr(tuple(items)) if kind == "tuple" else repr(items) if kind == "list" else f"...  # {items}"
    return repr(value)


def as_annotations(result: Result, where: str) -> str:
    """Return one line for each finding, as a workflow on GitHub shows it beside the file."""
    path = where.rpartition(":")[0]
    refused = [Finding("", result.refusal)] if result.refusal else []
    lines = []
    for finding in (*refused, *result.findings):
        kind = "warning" if finding.warning else "error"
        title = f"vjpcheck {result.name}: {finding.mistake or finding.check}"
        text = finding.message.replace("%", "%25").replace("\n", "%0A")
        lines.append(f"::{kind} file={path},title={title}::{visible(text)}")
    return "\n".join(lines)
