"""The search of the site: what readers type or paste leads to the right page first."""

import pytest
from pasted_messages import of_table
from site_pages import LESSONS
from site_server import reading, visit

LESSON = {int(name[:2]): f"course/{name}.html" for name in LESSONS}
QUESTIONS = {
    "backpropagation": LESSON[1],
    "computation graph": LESSON[1],
    "forward mode": LESSON[1],
    "vjp": LESSON[3],
    "vector-Jacobian product": LESSON[3],
    "custom autograd function": LESSON[4],
    "needs_input_grad": LESSON[4],
    "gradcheck": LESSON[5],
    "finite differences": LESSON[5],
    "save_for_backward": LESSON[6],
    "mark_dirty": LESSON[6],
    "Trying to backward through the graph a second time": LESSON[6],
    "double backward": LESSON[7],
    "once_differentiable": LESSON[7],
    "hessian-vector product": LESSON[7],
    "numpy in autograd": LESSON[8],
    "softmax backward": LESSON[9],
    "write backward for softmax": LESSON[9],
    "straight-through estimator": LESSON[10],
    "implicit differentiation": LESSON[10],
    "jvp": LESSON[11],
    "vmap": LESSON[11],
    "checkpointing": LESSON[12],
    "nbgrader": "instructors.html",
    "cheat sheet": "cheat-sheet.html",
    "save_for_bakward": LESSON[6],
    "element 0 of tensors does not require grad and has no grad_fn": "mistakes.html#further-output-marked",
    "diagonal-only": "mistakes.html#diagonal-only",
}
ANSWERS = """(questions) => questions.map((question) => {
  const field = document.querySelector('.search-page input')
  field.value = question
  field.dispatchEvent(new Event('input'))
  return document.querySelector('.search-results a')?.getAttribute('href') ?? ''
})"""
EXCERPTS = "[...document.querySelectorAll('.search-results p')].map((e) => e.textContent)"


@pytest.fixture(scope="module")
def search(browser, address):
    with reading(browser, address) as page:
        visit(page, f"{address}search.html?q=vjp")
        page.locator(".search-results li").first.wait_for()
        yield page
        assert page.troubles == []


def test_questions_lead_to_the_right_page_first(search):
    found = search.evaluate(ANSWERS, list(QUESTIONS))
    wrong = {
        question: answer
        for (question, page), answer in zip(QUESTIONS.items(), found, strict=True)
        if answer.partition("#")[0] != page and answer != page
    }
    assert wrong == {}


def test_each_message_of_the_table_leads_to_a_mistake_that_has_it(search, html):
    messages = of_table(html)
    found = search.evaluate(ANSWERS, list(messages))
    assert len(messages) > 20
    wrong = {
        message: answer
        for (message, ids), answer in zip(messages.items(), found, strict=True)
        if answer.removeprefix("mistakes.html#") not in ids
    }
    assert wrong == {}


def test_an_excerpt_is_text_of_the_page_with_the_words_marked(search):
    search.evaluate(ANSWERS, ["gradient penalty"])
    excerpts = search.evaluate(EXCERPTS)
    assert len(excerpts) > 3
    for text in excerpts:
        assert "System Settings" not in text
        assert "Toggle" not in text
    assert set(
        search.locator("#main-content .search-results li").first.locator("mark").all_text_contents()
    ) & {
        "gradient",
        "penalty",
    }


def test_words_that_no_page_has_are_named_and_the_nearest_pages_are_shown(search):
    search.evaluate(ANSWERS, ["xyzzyplugh softmax"])
    assert "xyzzyplugh" in search.get_by_role("status").inner_text()
    assert search.locator(".search-results li").count() > 3


def test_the_field_of_every_page_leads_to_the_search(page, address):
    visit(page, f"{address}course/{LESSONS[0]}.html")
    page.keyboard.press("Control+KeyK")
    page.keyboard.type("returned an incorrect number of gradients (expected 9, got 8)")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    page.locator(".search-results a").first.click()
    page.wait_for_url("**/mistakes.html#too-few-gradients")
    assert page.locator("#too-few-gradients").get_by_text("Cure.").is_visible()
