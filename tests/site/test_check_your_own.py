"""The page about one's own Functions: its code prints what stands below it, and its table is run."""

import contextlib
import io
import re

import pytest
import torch
from reader_site import ROOT, gallery

from vjpcheck import diagnose
from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.source_file import load

PAGE = (ROOT / "site" / "check-your-own.md").read_text()


def test_code_prints_what_stands_below_it():
    torch.manual_seed(0)
    names, printed, compared = {"__name__": "page"}, "", 0
    for language, block in re.findall(r"^```(python|text)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(block, names)
            printed = out.getvalue()
        else:
            compared += 1
            # a card is wider than the page
            assert " ".join(printed.split()).startswith(" ".join(block.split()))
    assert compared >= 10


def passes(check, function, inputs):
    inputs = [
        x.double().requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
        for x in inputs
    ]
    try:
        return check(function.apply, inputs, raise_exception=False)
    except Exception:  # of a backward that cannot be differentiated
        return False


@pytest.mark.parametrize("path", gallery.FILES, ids=lambda path: path.stem)
def test_a_row_says_what_the_checks_say(path):
    wrong = gallery.run(path)
    function, inputs = load(path, wrong.function), evaluate(load(path, "INPUTS"))
    by_gradcheck = passes(torch.autograd.gradcheck, function, inputs)
    by_gradgradcheck = passes(torch.autograd.gradgradcheck, function, inputs)
    mistake = diagnose(function, *inputs, like=load(path, "reference")).findings[0].mistake
    marks = " | ".join("✓" if passed else "✗" for passed in (by_gradcheck, by_gradgradcheck))
    row = f"| {wrong.title} | {marks} | – | `{mistake}` |"
    assert row in PAGE, row


def test_the_row_of_the_custom_operator_is_what_the_checks_say():
    class Op:
        apply = torch.library.custom_op(
            "check_your_own::twice", lambda x: 2 * x, mutates_args=(), schema="(Tensor x) -> Tensor"
        )

    Op.apply.register_fake(torch.empty_like)
    Op.apply.register_autograd(lambda ctx, grad_output: grad_output)
    x = torch.randn(3)
    found = [not passes(check, Op, [x]) for check in (torch.autograd.gradcheck, torch.autograd.gradgradcheck)]
    result = diagnose(Op.apply, x)
    registered = next(outcome.passed for outcome in result.outcomes if outcome.check == "opcheck")
    marks = " | ".join("✗" if each else "✓" for each in (*found, not registered))
    row = f"| The custom operator above, without its factor 2 | {marks} | `{result.findings[0].mistake}` |"
    assert row in PAGE, row
