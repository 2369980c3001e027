"""Does backward leave out the work for inputs that do not require grad?"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.function.case import Case
from autograder.mistakes import named
from autograder.result import Finding

CHECK = "frozen inputs"


def findings(case: Case) -> Iterator[Finding]:
    """Find gradients returned for tensors that do not require grad."""
    for trial in case.trials:
        returned = trial.answer["returned"] or []
        for position in trial.sample.tensor_positions:
            if (
                position < len(returned)
                and not trial.requires[position]
                and returned[position]["type"] != "None"
            ):
                name = case.name(position)
                yield named(
                    "needless-work",
                    CHECK,
                    name,
                    f"backward returns a gradient for {name} although {name} does not require grad.",
                )
