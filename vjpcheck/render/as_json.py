"""Renders a result as the JSON object of the command lines, which `result.schema.json` describes."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib import metadata
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from vjpcheck.result import Numbers, Result

FOLDER = Path(__file__).parent  # of the schema
PACKAGES = {"torch": "torch", "vjpcheck": "write-your-own-backward"}


def as_json(result: Result, where: str) -> str:
    """Return one line: the result, the numbers of each wrong gradient, every check, the versions."""
    plain = result.to_json()
    findings = zip(plain["findings"], result.findings, strict=True)
    whole = {
        **plain,
        "findings": [{**one, "numbers": _numbers(finding.numbers)} for one, finding in findings],
        "checks": [
            {"check": o.check, "reached": o.reached, "passed": o.passed, "needed": [*o.needed]}
            for o in result.outcomes
        ],
        "compared_with": result.truth,
        "versions": versions(),
        "file": where,
    }
    return json.dumps(whole | ({"error": result.refusal} if result.refusal else {}))


def versions() -> dict[str, str]:
    """Return the versions of Python, PyTorch and the package that vjpcheck is a part of."""
    return {"python": platform.python_version(), **{name: _version(of) for name, of in PACKAGES.items()}}


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _numbers(numbers: Numbers | None) -> dict[str, Any] | None:
    return None if numbers is None else {name: _listed(value) for name, value in numbers._asdict().items()}


def _listed(value: Any) -> Any:
    """Return arrays as lists; JSON has no word for infinity and NaN, nor for other objects."""
    match value:
        case np.ndarray():
            return _listed(value.tolist())
        case list() | tuple():
            return [_listed(each) for each in value]
        case Mapping():
            return {str(name): _listed(each) for name, each in value.items()}
        case float():
            return value if isfinite(value) else str(value)
        case None | bool() | int() | str():
            return value
    return str(value)
