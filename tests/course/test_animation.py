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
    page.clock.install(time=0)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.clock.pause_at(3_600_000)  # else the animation may end before the test has looked at it
    first, second = page.get_by_role("group").all()
    slider, image, caption = (
        first.get_by_role("slider"),
        first.get_by_alt_text(ALT),
        first.locator(".caption"),
    )
    assert caption.inner_text() == CAPTIONS[0]
    begin = image.get_attribute("src")
    slider.press("End")
    assert caption.inner_text() == CAPTIONS[-1]
    last = image.get_attribute("src")
    assert last != begin
    slider.press("Home")
    assert caption.inner_text() == CAPTIONS[0]
    slider.press("ArrowRight")
    assert caption.inner_text() == CAPTIONS[1] == slider.get_attribute("aria-valuetext")
    first.get_by_role("button", name="Play").click()
    assert first.get_by_role("button", name="Pause").is_visible()
    assert caption.inner_text() == CAPTIONS[1]
    page.clock.run_for(1000)
    assert first.get_by_role("button", name="Play").is_visible()  # at the end it stops by itself
    assert image.get_attribute("src") == last
    assert second.locator(".caption").inner_text() == CAPTIONS[0]
    assert errors == []
