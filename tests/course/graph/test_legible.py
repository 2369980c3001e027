"""Every text of a picture and of a player can be read, whatever the width of the page, and on paper."""

import hard_cases
import pytest
from browser import needs_browser
from graph_pictures import number, seed_graph
from tiers import first_now

from course.graph import draw, play, record

pytestmark = needs_browser
WIDTHS = (390, 760, 1100, 1300)
CASES = [
    hard_cases.five_nodes,
    hard_cases.kill_head,
    hard_cases.residual_block,
    hard_cases.cube,
    hard_cases.mlp,
]
# the size in pixels of each text that is seen: in a picture, as it is scaled
SIZES = """root => [...root.querySelectorAll('*')].flatMap(element => {
  const told = [...element.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim())
  if (!told || element.matches('script, style, title, option') || !element.checkVisibility()) return []
  const scale = element.ownerSVGElement?.getScreenCTM().a ?? 1
  return [[element.textContent, scale * parseFloat(getComputedStyle(element).fontSize)]]
})"""
SCALE = "svg => svg.getScreenCTM().a"


def opened(page, folder, html, wide=1100):
    page.set_viewport_size({"width": wide, "height": 900})
    path = folder / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><title>p</title><body>{html}", encoding="utf-8")
    page.goto(path.as_uri())
    return page.locator("body")


def resize(page, wide):
    """Give a page a width, and let the player arrange itself in it."""
    page.set_viewport_size({"width": wide, "height": 900})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def chain(length=14):
    """Record a graph that is far wider than any page."""
    x = number(0.5)
    y = x
    for _ in range(length):
        y = y.sin() * x
    return record(y)


def player_of_chain(page, folder):
    player = opened(page, folder, play(chain()).html()).locator(".backward-player")
    return player, player.locator(".picture"), player.locator(".picture > svg")


@pytest.mark.parametrize("case", first_now(CASES, 4), ids=lambda case: case.__name__)
def test_no_text_is_under_11_pixels_nor_on_a_telephone_under_9(page, tmp_path, case):
    graph = case()
    body = opened(page, tmp_path, play(graph).html() + draw(graph)._repr_mimebundle_()["text/html"])
    body.get_by_role("slider", name="Step").press("End")
    for wide in WIDTHS:
        resize(page, wide)
        sizes = body.evaluate(SIZES)
        assert len(sizes) > len(graph.nodes)
        assert [told for told in sizes if told[1] < (8.999 if wide < 640 else 10.999)] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_where_there_is_room_the_code_stands_beside_the_picture_or_the_table(page, tmp_path):
    """Which widths have room is up to the font."""
    player = opened(page, tmp_path, play(hard_cases.unused_output()).html()).locator(".backward-player")
    parts = [player.locator(part) for part in ("pre.code", ".picture", ".numbers")]
    svg, places_by_width = player.locator(".picture > svg"), {}
    widths = [*range(1300, 380, -40)]
    for wide in [*widths, *reversed(widths)]:
        resize(page, wide)
        code, picture, table = (part.bounding_box() for part in parts)
        controls = player.locator(".controls").bounding_box()
        below = "aside" if code["y"] < controls["y"] else "paired" if code["y"] == table["y"] else ""
        assert places_by_width.setdefault(wide, below) == below, "it depends on the width before"
        if below == "aside":
            assert code["x"] > picture["x"] + svg.bounding_box()["width"]
            assert svg.evaluate(SCALE) >= 11 / 12 - 1e-3
        elif below == "paired":
            assert controls["y"] < table["y"]
            assert table["x"] + table["width"] <= code["x"]
        else:
            assert code["y"] > max(each["y"] + each["height"] for each in (picture, table, controls))
    assert {*places_by_width.values()} == {"aside", "paired", ""}


def test_a_wide_graph_is_zoomed_by_buttons_and_by_keys(page, tmp_path):
    player, picture, svg = player_of_chain(page, tmp_path)
    legible = svg.evaluate(SCALE)
    box = player.bounding_box()
    player.get_by_role("button", name="Zoom in").click()
    assert svg.evaluate(SCALE) == pytest.approx(1.25 * legible, rel=1e-3)
    player.focus()
    page.keyboard.press("-")
    assert svg.evaluate(SCALE) == pytest.approx(legible, rel=1e-3)
    player.get_by_role("button", name="Fit").click()
    assert picture.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    assert player.bounding_box() == box  # the buttons stay where they are
    player.focus()
    page.keyboard.press("0")
    assert svg.evaluate(SCALE) == pytest.approx(legible, rel=1e-3)
    page.keyboard.press("Shift+ArrowRight")
    assert picture.evaluate("e => e.scrollLeft") > 0
    assert player.locator(".place").inner_text().startswith("0 ")  # the keys with shift do not step


def test_the_wheel_zooms_where_the_pointer_is_and_a_drag_pans(page, tmp_path):
    player, picture, svg = player_of_chain(page, tmp_path)
    legible = svg.evaluate(SCALE)
    card = player.locator('[data-id="n1"]')
    before = card.bounding_box()
    middle = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(*middle)
    page.mouse.wheel(0, 40)
    assert svg.evaluate(SCALE) == legible  # without ctrl the page scrolls
    page.keyboard.down("Control")
    page.mouse.wheel(0, -40)
    page.keyboard.up("Control")
    page.wait_for_function(f"document.querySelector('.picture > svg').getScreenCTM().a > {legible}")
    after = card.bounding_box()
    assert after["x"] < middle[0] < after["x"] + after["width"]
    assert after["y"] < middle[1] < after["y"] + after["height"]

    start = picture.evaluate("e => e.scrollLeft")
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1], steps=4)
    page.mouse.up()
    assert picture.evaluate("e => e.scrollLeft") == pytest.approx(start + 60, abs=1)
    assert player.locator(".place").inner_text().startswith("0 ")  # a drag is no click on a card


def test_the_whole_screen_is_filled(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()).html(), 1600).locator(".backward-player")
    picture, svg = player.locator(".picture"), player.locator(".picture > svg")
    legible = svg.evaluate(SCALE)
    player.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement?.matches('.backward-player')")
    page.wait_for_function("document.querySelector('.picture').classList.contains('zoomed')")
    assert picture.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    player.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement === null")
    page.wait_for_function(f"document.querySelector('.picture > svg').getScreenCTM().a === {legible}")


def test_the_way_back_of_an_edge_begins_at_its_head(page, tmp_path):
    player = opened(page, tmp_path, play(seed_graph()).html()).locator(".backward-player")
    player.get_by_role("slider", name="Step").press("End")
    gaps = player.evaluate(
        """root => [...root.querySelectorAll('.edge')].map(edge => {
          const visible = element => getComputedStyle(element).visibility === 'visible'
          const seen = kind => [...edge.querySelectorAll(kind)].filter(visible)
          const [line, ...lines] = seen('path'), [head, ...heads] = seen('polygon')
          const start = line.getPointAtLength(0), [tip, one, other] = head.points
          const middle = [(one.x + other.x) / 2, (one.y + other.y) / 2]
          return [lines.length + heads.length, start.x - middle[0], start.y - middle[1]]
        })"""
    )
    assert gaps == [[0, pytest.approx(0, abs=0.01), pytest.approx(0, abs=0.01)]] * 5


def test_paper_has_the_end_and_the_whole_picture_and_the_screen_is_as_before(page, tmp_path):
    player, picture, svg = player_of_chain(page, tmp_path)
    player.get_by_role("slider", name="Step").fill("3")
    legible = svg.evaluate(SCALE)
    page.evaluate(
        "addEventListener('beforeprint', () => { printed = document.querySelector('.place').textContent })"
    )
    page.pdf()
    steps = player.get_by_role("slider", name="Step").get_attribute("max")
    assert page.evaluate("printed") == f"{steps} / {steps}"
    assert player.locator(".place").inner_text() == f"3 / {steps}"
    page.wait_for_function(f"document.querySelector('.picture > svg').getScreenCTM().a === {legible}")
    page.emulate_media(media="print")
    clipped = "e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight"
    for part in (picture, player.locator(".numbers")):
        assert not part.evaluate(clipped)
        assert part.evaluate("e => getComputedStyle(e).maskImage") == "none"
