"""The animation of a lesson: its frames follow slider and button, and travel with the page."""

import re

import pytest
from browser import needs_browser, open_browser

from course.animation import animation

CAPTIONS = ["first", "second <b>", "third"]
ALT = 'A dot that "moves" upwards'


@pytest.fixture(scope="module")
def made():
    return animation(lambda axes, index: axes.plot([0], [index], "o"), CAPTIONS, alt=ALT)


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


def test_an_animation_carries_its_frames_and_fetches_nothing(made):
    shown = made._repr_mimebundle_()
    assert shown["text/plain"] == ALT
    assert len(set(made.frames)) == len(CAPTIONS)
    assert not re.search(r"https?://", shown["text/html"])
    assert len(shown["text/html"]) < 20_000 * len(CAPTIONS)


@needs_browser
def test_slider_and_button_show_the_frames(browser, made, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><html><body>{made.html()}{made.html()}</body></html>", encoding="utf-8")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    first, second = page.get_by_role("group").all()
    slider, image, caption = (
        first.get_by_role("slider"),
        first.get_by_alt_text(ALT),
        first.locator(".caption"),
    )
    assert caption.inner_text() == CAPTIONS[-1]
    last = image.get_attribute("src")
    slider.press("Home")
    assert caption.inner_text() == CAPTIONS[0]
    assert image.get_attribute("src") != last
    slider.press("ArrowRight")
    assert caption.inner_text() == CAPTIONS[1] == slider.get_attribute("aria-valuetext")
    first.get_by_role("button", name="Play").click()
    first.get_by_role("button", name="Pause").wait_for()
    first.get_by_role("button", name="Play").wait_for()  # at the end it stops by itself
    assert image.get_attribute("src") == last
    assert second.locator(".caption").inner_text() == CAPTIONS[-1]
    assert errors == []
