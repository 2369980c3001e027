"""Every player of the lessons is seen whole: in a notebook beside the file browser, and on a telephone."""

import lesson_players
import pytest
from browser import needs_browser
from graph_browser import row
from graph_pictures import seed_graph

from course.graph import play, words

pytestmark = needs_browser
FEW = 8  # nodes of a graph that must fit
TELEPHONE = (390, 844)
# pixels of the page and beside the player: JupyterLab's output area at 1,280, a tablet, the site in the hand
PAGES = [(794, 800, 0), (820, 800, 0), (*TELEPHONE, 16)]
# at each step: the nodes and labels that are not seen whole, and whether the picture was scrolled
OUTSIDE = """root => {
  const area = root.querySelector('.picture'), steps = root.querySelector('input[aria-label="Step"]');
  const found = new Set();
  for (let step = 0; step <= Number(steps.max); step += 1) {
    steps.value = step;
    steps.dispatchEvent(new Event('input'));
    const frame = area.getBoundingClientRect();
    for (const each of area.querySelectorAll('.node .body, .frame, .edge text, .addend, .legend text')) {
      const box = each.getBoundingClientRect(), said = each.closest('.node')?.dataset.id ?? each.textContent;
      const out = box.left < frame.left - 0.5 || box.right > frame.right + 0.5
        || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5;
      if (out && each.checkVisibility({ visibilityProperty: true })) found.add(`${said} at step ${step}`);
    }
    if (area.scrollLeft || area.scrollTop || area.matches('.pans')) found.add(`it pans at step ${step}`);
  }
  return [...found];
}"""
# how high all parts of the toolbar are together, and how far they go beyond it
ROWS = """root => {
  const boxes = [...root.querySelectorAll('.controls > *, .rare > *')]
    .map(each => each.getBoundingClientRect()).filter(box => box.height > 1);
  const most = side => Math.max(...boxes.map(box => box[side]));
  const { right } = root.querySelector('.controls').getBoundingClientRect();
  return [most('bottom') - Math.min(...boxes.map(box => box.top)), most('right') - right];
}"""
# from the picture's top to the bottom of the button that plays
TO_PLAY = """root => root.querySelector('button.play').getBoundingClientRect().bottom
  - root.querySelector('.picture').getBoundingClientRect().top"""


@pytest.mark.parametrize("shown", lesson_players.ALL, ids=lambda shown: f"{shown.lesson}-{shown.cell}")
def test_a_small_graph_is_seen_whole_and_the_toolbar_is_one_row(page, tmp_path, shown):
    player = shown.player()
    html = player._repr_mimebundle_()["text/html"]
    assert len(player.graph.nodes) <= FEW, (
        "say in the lesson how a larger graph is read, and leave it out here"
    )
    path = tmp_path / "page.html"
    for wide, high, beside in PAGES:
        page.set_viewport_size({"width": wide, "height": high})
        body = f'<body style="margin: 0 {beside}px">{html}'
        path.write_text(f"<!doctype html><meta charset=utf-8><title>p</title>{body}", encoding="utf-8")
        page.goto(path.as_uri())
        seen = page.locator(".backward-player")
        assert seen.evaluate(OUTSIDE) == [], wide
        height, beyond = seen.evaluate(ROWS)
        assert height < 40, wide
        assert beyond <= 0.5, wide
        assert not seen.locator(".map").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
        if (wide, high) == TELEPHONE:
            assert seen.evaluate(TO_PLAY) <= high


def test_on_a_telephone_a_finger_drags_a_leaf_and_the_rare_controls_unfold(browser, tmp_path):
    wide, high = TELEPHONE
    context = browser.new_context(
        viewport={"width": wide, "height": high}, has_touch=True, is_mobile=True, offline=True
    )
    page, path = context.new_page(), tmp_path / "page.html"
    head = '<meta name="viewport" content="width=device-width"><meta charset=utf-8><title>p</title>'
    path.write_text(f"<!doctype html>{head}<body>{play(seed_graph()).html()}", encoding="utf-8")
    page.goto(path.as_uri())
    player = page.locator(".backward-player")
    slider = player.get_by_role("slider", name="Value of w₁")
    slider.scroll_into_view_if_needed()
    box, touch = slider.bounding_box(), context.new_cdp_session(page)
    middle = box["y"] + box["height"] / 2
    before = float(slider.input_value())
    start = box["x"] + 11 + (box["width"] - 22) * (before + 5) / 10
    for kind, x in (
        ("touchStart", start),
        ("touchMove", start + 10),
        ("touchMove", start + 30),
        ("touchEnd", None),
    ):
        points = [] if x is None else [{"x": x, "y": middle}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert float(slider.input_value()) > before + 1
    assert row(player, "w₁")[0] == words.number(round(float(slider.input_value()), 10))

    menu, more = player.get_by_role("combobox"), player.get_by_role("button", name="More")
    assert not menu.is_visible()
    more.tap()
    inside = player.bounding_box()
    for part in (menu, player.get_by_role("button", name="Zoom in"), player.locator(".count")):
        shown = part.bounding_box()
        assert inside["x"] <= shown["x"] < shown["x"] + shown["width"] <= inside["x"] + inside["width"]
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert more.evaluate("element => element === document.activeElement")
    context.close()
