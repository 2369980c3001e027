"""The gallery: what its page says of each wrong backward is what PyTorch and the autograder say of it."""

import shlex
import subprocess
import sys

import pytest
import torch
from playwright.sync_api import expect
from reader_site import ROOT, gallery
from site_server import visit
from torch.autograd import gradcheck

from vjpcheck.diagnosis.expression import evaluate
from vjpcheck.source_file import load

NAMES = {path.stem: path for path in gallery.FILES}


@pytest.fixture(scope="module")
def shown():
    return {path.stem: gallery.run(path) for path in gallery.FILES}


def test_there_are_ten_and_gradcheck_passes_eight(shown):
    assert len(shown) == 10
    assert sum(wrong.passes_gradcheck for wrong in shown.values()) == 8


@pytest.mark.parametrize("name", NAMES)
def test_the_first_thing_that_the_card_names_is_the_mistake_of_the_file(shown, name):
    assert shown[name].card.findings[0].mistake == shown[name].mistake


@pytest.mark.parametrize("name", NAMES)
def test_gradcheck_says_what_the_page_says(shown, name):
    wrong = shown[name]
    function = load(NAMES[name], wrong.function)
    inputs = evaluate(load(NAMES[name], "INPUTS"))
    inputs = [x.double().requires_grad_() if isinstance(x, torch.Tensor) else x for x in inputs]
    assert gradcheck(function.apply, inputs, raise_exception=False) == wrong.passes_gradcheck
    assert wrong.backward.error == ""


@pytest.mark.parametrize("name", NAMES)
def test_in_use_it_gives_another_gradient_than_pytorch(shown, name):
    wrong, right = shown[name].in_use.wrong, shown[name].in_use.right
    assert wrong.error == ""
    if wrong.returned is None or right.error:
        return
    assert not torch.equal(wrong.returned, right.returned)


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_computes_the_same_as_forward(shown, name):
    function, reference, inputs = (
        load(NAMES[name], what) for what in (shown[name].function, "reference", "INPUTS")
    )
    assert torch.equal(function.apply(*evaluate(inputs)), reference(*evaluate(inputs)))


def test_the_command_of_an_entry_gives_its_card(shown):
    wrong = shown["02_softmax_across_rows"]
    command = wrong.command.replace("\\\n", " ").replace(
        "autograder", f"{shlex.quote(sys.executable)} -m autograder", 1
    )
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert f"[{wrong.mistake}] {wrong.card.findings[0].message}" in " ".join(done.stdout.split())


def test_each_entry_has_a_link_of_its_own_and_leads_to_its_mistake(shown, page, address):
    for wrong in shown.values():
        visit(page, f"{address}gallery.html#{wrong.anchor}")
        entry = page.locator(f"section#{wrong.anchor}")
        expect(entry.get_by_role("heading", name=wrong.title.replace("'", "’"))).to_be_in_viewport()
        link = entry.locator(".wyob-result .finding a").first
        assert link.get_attribute("href") == f"mistakes.html#{wrong.mistake}"
