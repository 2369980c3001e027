"""Which lesson teaches what a mistake is about."""

from __future__ import annotations

import json
from pathlib import Path

import course
from autograder.exercises import EXERCISES

# None: the lesson of the exercise in which it was made
LESSON_OF: dict[str, int | None] = {
    "too-few-gradients": 4,
    "too-many-gradients": 4,
    "gradient-for-non-tensor": 4,
    "gradient-not-a-tensor": 4,
    "one-grad-output-per-output": 6,
    "called-forward-not-apply": 4,
    "saved-tensors-not-unpacked": 4,
    "saved-a-non-tensor": 6,
    "saved-twice": 6,
    "setup-context-not-unpacked": 4,
    "forward-value": None,
    "missing-unbroadcast": 3,
    "lost-keepdim": 3,
    "gradient-too-large": 3,
    "gradients-swapped": 3,
    "missing-transpose": 3,
    "wrong-sum-axis": 3,
    "mean-instead-of-sum": 3,
    "missing-grad-output": 3,
    "wrong-sign": 1,
    "wrong-factor": 1,
    "overwrites-instead-of-accumulates": 2,
    "missing-gradient": 4,
    "wrong-needs-input-grad-index": 4,
    "gradient-nonlinear": 3,
    "missing-mask": 4,
    "mutates-grad-output": 6,
    "mutates-input": 6,
    "state-on-class": 6,
    "deletes-context-state": 6,
    "mutates-saved-tensor": 6,
    "not-reproducible": 6,
    "needless-work": 4,
    "needs-once-differentiable": 7,
    "captured-tensor": 4,
    "tensors-in-a-list": 4,
    "missing-expand": 3,
    "expanded-wrong-axis": 3,
    "output-for-input": 6,
    "input-for-output": 6,
    "diagonal-only": 9,
    "missing-normaliser-term": 9,
    "inverse-permutation": 8,
    "conv-not-transposed": 9,
    "mask-on-gradient": 6,
    "missing-conjugate": None,
    "differentiates-one-step": 10,
    "dirty-not-returned": 6,
    "returns-input-unchanged": 6,
    "output-kept-on-ctx": 6,
    "input-kept-on-ctx": 6,
    "none-gradient-unhandled": 6,
    "saves-too-much": 6,
    "materializes-gradients": 6,
    "not-marked-non-differentiable": 6,
    "intermediate-kept-on-ctx": 7,
    "detached-in-backward": 7,
    "numpy-in-backward": 7,
    "wrongly-once-differentiable": 7,
    "autograd-in-backward": None,
    "no-setup-context": 11,
    "no-vmap-rule": 11,
    "no-jvp": 11,
}


def lesson_of(mistake: str, exercise: str) -> int | None:
    """Return the number of the lesson that teaches it, or None for an exercise that is not of the course."""
    lesson = LESSON_OF.get(mistake)
    if lesson is None and exercise in EXERCISES:
        return EXERCISES[exercise].lesson
    return lesson


def title(lesson: int) -> str:
    """Return 'Lesson 4. A Function owes …', or its number alone where its notebook is not there."""
    folder = Path(str(course.__file__)).parent
    for path in sorted(folder.glob(f"{lesson:02}-*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            first = "".join(cell["source"]).splitlines()[:1]
            if cell["cell_type"] == "markdown" and first and first[0].startswith("# "):
                heading = first[0].removeprefix("# ").removeprefix("Lesson ")
                return f"Lesson {heading if heading[:1].isdigit() else f'{lesson}. {heading}'}"
    return f"Lesson {lesson}"
