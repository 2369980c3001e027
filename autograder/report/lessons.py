"""Finds the lesson that explains a mistake."""

import json
from pathlib import Path

import course
from autograder.exercises import EXERCISES

# any other mistake is a subject of several lessons: the exercise's own lesson explains it
_TAUGHT_IN = {
    1: """
        missing-factor extra-factor value-for-derivative derivative-of-another-function missing-term
        wrong-sign-of-a-term wrong-factor-of-a-term wrong-sign wrong-factor
    """,
    2: """
        overwrites-instead-of-accumulates
    """,
    3: """
        missing-unbroadcast lost-keepdim gradient-too-large gradients-swapped missing-transpose
        wrong-sum-axis term-without-cotangent cotangent-passed-on cotangent-summed outputs-left-out
        gradient-of-another-input wrong-operand gradient-summed reshaped-gradient wrong-shape
        mean-instead-of-sum missing-grad-output gradient-nonlinear missing-expand
        expanded-wrong-axis
    """,
    4: """
        too-few-gradients gradients-in-a-list too-many-gradients gradient-for-non-tensor
        gradient-not-a-tensor called-forward-not-apply saved-tensors-not-unpacked
        setup-context-not-unpacked wrong-sign-in-places wrong-mask wrong-dtype missing-gradient
        wrong-needs-input-grad-index missing-mask needless-work captured-tensor tensors-in-a-list
    """,
    5: """
        one-sided-difference not-precise not-finite
    """,
    6: """
        one-grad-output-per-output saved-a-non-tensor saved-twice cotangents-exchanged
        mutates-grad-output assumes-contiguous mutates-input state-on-class deletes-context-state
        mutates-saved-tensor not-reproducible output-for-input input-for-output mask-on-gradient
        dirty-not-returned returns-input-unchanged output-kept-on-ctx input-kept-on-ctx
        none-gradient-unhandled saves-too-much materializes-gradients not-marked-non-differentiable
    """,
    7: """
        computed-again-in-backward needs-once-differentiable intermediate-kept-on-ctx
        detached-in-backward wrong-second-derivative further-cotangent-unused
        further-cotangent-wrong further-output-marked graph-cut-in-backward second-backward-raises
        numpy-in-backward wrongly-once-differentiable
    """,
    8: """
        wrong-order inverse-permutation
    """,
    9: """
        crossed-indices wrong-axis diagonal-only missing-normaliser-term
    """,
    10: """
        wrong-limit differentiates-one-step
    """,
    11: """
        ctx-beside-setup-context no-setup-context no-vmap-rule missing-tangent no-jvp
    """,
}
LESSONS = {name: lesson for lesson, names in _TAUGHT_IN.items() for name in names.split()}


def lesson_of(mistake: str, exercise: str) -> int | None:
    """Return the number of the lesson that explains a mistake; None for an exercise outside the course."""
    if mistake not in LESSONS and exercise in EXERCISES:
        return EXERCISES[exercise].lesson
    return LESSONS.get(mistake)


def title(lesson: int) -> str:
    """Return 'Lesson 4. A Function owes …', or only 'Lesson 4' if its notebook is missing."""
    folder = Path(str(course.__file__)).parent
    for path in sorted(folder.glob(f"{lesson:02}-*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            first = "".join(cell["source"]).splitlines()[:1]
            if cell["cell_type"] == "markdown" and first and first[0].startswith("# "):
                heading = first[0].removeprefix("# ").removeprefix("Lesson ")
                return f"Lesson {heading if heading[:1].isdigit() else f'{lesson}. {heading}'}"
    return f"Lesson {lesson}"
