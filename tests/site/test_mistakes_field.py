"""The field of the page of mistakes: a pasted message leads to its entry, and something is always shown."""

import re

import pytest
from pasted_messages import of_table
from playwright.sync_api import expect
from site_server import PHONE, reading, visit

ENTRIES = ".bd-article details:has(> summary h3)"
ANSWERS = """async (messages) => {
  const field = document.querySelector('.filter input'), found = []
  for (const message of messages) {
    field.value = message
    field.dispatchEvent(new Event('input'))
    await new Promise((done) => setTimeout(done))
    found.push(document.querySelector('.nearest > section')?.id ?? '')
  }
  return found
}"""
TRACEBACK = """Traceback (most recent call last):
  File "train.py", line 80, in <module>
    loss.backward(gradient=None, retain_graph=True, create_graph=True, inputs=None)
RuntimeError: expected Variable or None (got float)"""


@pytest.fixture(scope="module")
def mistakes(browser, address):
    with reading(browser, address) as page:
        visit(page, f"{address}mistakes.html")
        yield page
        assert page.troubles == []


@pytest.fixture
def field(mistakes):
    field = mistakes.get_by_label("An error message, or words")
    field.focus()
    yield field
    field.fill("")
    expect(mistakes.locator(".nearest > section")).to_have_count(0)


def test_all_is_folded_at_first(mistakes):
    assert mistakes.locator(ENTRIES).count() > 60
    assert mistakes.locator(f"{ENTRIES}[open]").count() == 0


def test_each_message_leads_to_its_entry_whatever_its_names_and_numbers_are(mistakes, field, html):
    messages = of_table(html)
    field.fill("a first question")  # reads the entries
    expect(mistakes.locator(".filter output")).not_to_be_empty()
    found = mistakes.evaluate(ANSWERS, list(messages))
    assert len(messages) > 20
    wrong = {
        message: first
        for (message, ids), first in zip(messages.items(), found, strict=True)
        if first not in ids
    }
    assert wrong == {}


def test_the_entry_of_a_traceback_is_unfolded(mistakes, field):
    field.fill(TRACEBACK)
    first = mistakes.locator(".nearest > section").first
    expect(first).to_have_id("gradient-not-a-tensor")
    expect(first.locator("details")).to_have_attribute("open", "")
    expect(first.get_by_text("Cure.")).to_be_visible()


def test_words_leave_the_entries_that_have_them(mistakes, field):
    field.fill("contiguous")
    expect(mistakes.locator("#assumes-contiguous")).to_be_visible()
    expect(mistakes.locator("#too-few-gradients")).to_be_hidden()
    expect(mistakes.locator(".filter output")).to_have_text(
        re.compile(r"^\d+ entr\w+ of \d+ ha\w+ all of these words\.")
    )


def test_it_is_said_when_no_entry_has_all_the_words(mistakes, field):
    field.fill("the softmax of a hippopotamus")
    expect(mistakes.locator(".filter output")).to_contain_text("No entry has hippopotamus")
    expect(mistakes.locator(".nearest > section").first).to_be_visible()


def test_without_a_shared_word_all_entries_stay(mistakes, field):
    field.fill("xyzzyplugh")
    expect(mistakes.locator(".filter output")).to_contain_text("No entry has any of these words")
    expect(mistakes.locator("#too-few-gradients")).to_be_visible()


def test_a_link_to_an_entry_unfolds_it_even_if_the_field_has_hidden_it(mistakes, field):
    field.fill("contiguous")
    expect(mistakes.locator("#diagonal-only")).to_be_hidden()
    mistakes.evaluate("location.hash = 'diagonal-only'")
    expect(mistakes.locator("#diagonal-only details")).to_have_attribute("open", "")
    expect(mistakes.locator("#diagonal-only")).to_be_in_viewport()


@pytest.mark.parametrize("width", [PHONE, 1300])
def test_the_field_is_as_wide_as_the_page(mistakes, field, width):
    before = mistakes.viewport_size
    mistakes.set_viewport_size({"width": width, "height": 900})
    try:
        column = mistakes.locator("#the-table-of-mistakes").bounding_box()["width"]
        assert field.bounding_box()["width"] > 0.97 * column
    finally:
        mistakes.set_viewport_size(before)
