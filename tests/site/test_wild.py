"""Found in the wild: what the page says of each public fault is what PyTorch and diagnose say of it."""

import re

import pytest
import torch
from playwright.sync_api import expect
from reader_site import gallery, wild_page
from site_server import visit
from torch.autograd import gradcheck, gradgradcheck

from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.source_file import load

NAMES = {path.stem: path for path in gallery.WILD}
SOURCE = re.compile(r"https://github\.com/([\w-]+/[\w.-]+)/blob/([0-9a-f]{40})/([\w/]+\.py)#L\d+")


@pytest.fixture(scope="module")
def shown():
    return {path.stem: gallery.run(path) for path in gallery.WILD}


def tracked(name):
    inputs = evaluate(load(NAMES[name], "INPUTS"))
    return [
        x.double().requires_grad_() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
        for x in inputs
    ]


def says_true(check, function, inputs):
    try:
        return check(function.apply, inputs)
    except (RuntimeError, ValueError):  # GradcheckError is a RuntimeError
        return False


@pytest.mark.parametrize("name", NAMES)
def test_the_first_thing_that_the_card_names_is_the_mistake_of_the_file(shown, name):
    assert (shown[name].card.findings[0].mistake or "") == shown[name].mistake


@pytest.mark.parametrize("name", NAMES)
def test_gradcheck_and_gradgradcheck_say_what_the_page_says(shown, name):
    wrong = shown[name]
    function = load(NAMES[name], wrong.function)
    assert says_true(gradcheck, function, tracked(name)) == wrong.passes_gradcheck
    assert says_true(gradgradcheck, function, tracked(name)) == (wrong.gradgradcheck.returned is True)
    assert wrong.backward.error == ""


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_computes_the_same_as_forward(shown, name):
    for function in (shown[name].function, "Repaired"):
        observed = load(NAMES[name], function).apply(*evaluate(load(NAMES[name], "INPUTS")))
        expected = load(NAMES[name], "reference")(*evaluate(load(NAMES[name], "INPUTS")))
        torch.testing.assert_close(observed, expected)


@pytest.mark.parametrize("name", NAMES)
def test_in_use_the_fault_changes_the_gradient_and_the_repair_gives_that_of_pytorch(shown, name):
    use, repair = shown[name].in_use, shown[name].repair
    assert use.wrong.error == use.right.error == repair.used.error == ""
    assert not torch.equal(use.wrong.returned, use.right.returned)
    torch.testing.assert_close(repair.used.returned, use.right.returned)


@pytest.mark.parametrize("name", NAMES)
def test_the_repair_passes_every_check(shown, name):
    repair = shown[name].repair
    assert repair.card.passed
    assert repair.card.findings == ()
    assert repair.gradcheck.returned is repair.gradgradcheck.returned is True


@pytest.mark.parametrize("name", NAMES)
def test_the_source_is_a_line_of_a_commit_that_was_tried(shown, name):
    repository, commit, path = SOURCE.fullmatch(shown[name].source).groups()
    tried = {(trial.repository, trial.commit, trial.path) for trial in wild_page.trials()}
    assert (repository, commit, path) in tried


def test_each_trial_is_listed_once_with_a_known_outcome():
    tried = wild_page.trials()
    assert {trial.outcome for trial in tried} <= set(wild_page.OUTCOMES)
    assert len({(trial.repository, trial.path, trial.function) for trial in tried}) == len(tried)


def test_each_entry_has_a_link_of_its_own_and_a_link_to_its_source(shown, page, address):
    for wrong in shown.values():
        visit(page, f"{address}wild.html#{wrong.anchor}")
        entry = page.locator(f"section#{wrong.anchor}")
        expect(entry.get_by_role("heading", name=wrong.title)).to_be_in_viewport()
        expect(entry.locator(f'a[href="{wrong.source}"]').first).to_be_visible()
