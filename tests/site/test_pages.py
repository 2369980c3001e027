"""Every page in a browser that is cut off from the network: nothing is missing, blank or out of reach."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect
from site_pages import ASSIGNMENTS, LESSONS, PAGES, code_of, exercises_of
from site_server import ALL_OTHERS, PHONE, WIDE, violations, visit, weak_contrasts
from tiers import for_test_all

UNRENDERED = re.compile(r"\\\(|\\\[|\\begin\{|\$[^$\n]+\$|\{[a-z-]+\}`|:::|^```", re.MULTILINE)
TEXT_OF_ARTICLE = """() => {
  const article = document.querySelector('main').cloneNode(true)
  article.querySelectorAll('pre, code, script, style, .katex, .backward-player')
    .forEach((e) => e.remove())
  return article.textContent
}"""
BLANK = """() => [...document.querySelectorAll('.cell_output, .cell_output img')]
  .filter((e) => !e.closest('details:not([open])') && e.getBoundingClientRect().height < 5)
  .map((e) => e.outerHTML)"""
OUT_OF_PAGE = """() => {
  const boxed = (e) => e && e !== document.body
    && (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX) || boxed(e.parentElement))
  return [...document.querySelectorAll('.bd-article *')].filter((e) => {
    const { right, width } = e.getBoundingClientRect()
    return width && right > innerWidth + 1 && !boxed(e.parentElement)
  }).map((e) => e.outerHTML.slice(0, 120))
}"""
IMAGES_UNTOLD = """() => [...document.querySelectorAll('.bd-article img')]
  .filter((e) => !e.alt || /\\.(png|svg)$/.test(e.alt)).map((e) => e.src)"""
LARGEST_ON_A_PHONE = 32  # pixels of the title
BROKEN_HEADINGS = """(largest) => {
  const closed = [...document.querySelectorAll('details:not([open])')]
  for (const each of closed) each.open = true
  const found = [], range = document.createRange()
  for (const heading of document.querySelectorAll('.bd-article :is(h1, h2, h3, h4, h5, h6)')) {
    if (!heading.checkVisibility()) continue
    const size = parseFloat(getComputedStyle(heading).fontSize), told = heading.textContent
    if (size > largest) found.push(`${size} px: ${told}`)
    if (heading.scrollWidth > heading.clientWidth + 1) found.push(`cut off: ${told}`)
    const walk = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/[^\\s_.–—/-]+/g)) {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const parts = [...range.getClientRects()].filter((box) => box.width > 0.5)
        if (new Set(parts.map((box) => Math.round(box.top / 4))).size > 1) found.push(`${word} in ${told}`)
      }
    }
  }
  for (const each of closed) each.open = false
  return found
}"""
COLUMNS = 90
LONG_LINES = """(columns) => [...document.querySelectorAll(
  '.bd-article :is(.highlight-ipython3, .highlight-python, .highlight-diff, .highlight-sh) pre')]
  .flatMap((e) => e.textContent.split('\\n')).filter((line) => line.length > columns)"""
LAPTOP = 1280
SMALLEST, SMALLEST_IN_HAND = (
    11,
    9,
)  # pixels; the latter for a player's picture on a telephone, which is whole there
SMALL_TEXTS = """([smallest, inPlayer]) => {
  const closed = [...document.querySelectorAll('details:not([open])')]
  for (const each of closed) each.open = true
  const found = new Set(), range = document.createRange()
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const holder = text.parentElement
    if (!text.data.trim() || holder.closest('script, style, title, .katex-mathml')) continue
    range.selectNodeContents(text)
    const { width, height } = range.getBoundingClientRect()
    if (!holder.checkVisibility({ visibilityProperty: true }) || width < 2 || height < 2) continue
    const m = holder.getScreenCTM?.() ?? { a: 1, b: 0, c: 0, d: 1 }
    const size = parseFloat(getComputedStyle(holder).fontSize) * Math.sqrt(Math.abs(m.a * m.d - m.b * m.c))
    const told = `${text.data.trim().slice(0, 60)} in ${holder.outerHTML.slice(0, 90)}`
    const least = holder.closest('.backward-player svg') ? inPlayer : smallest
    if (size < least - 0.05) found.add(`${size.toFixed(1)} px: ${told}`)
  }
  for (const image of document.querySelectorAll('.cell_output img[src*="_images/"]')) {
    const size = FIGURE_TEXT * image.getBoundingClientRect().width / image.getAttribute('width')
    if (size && size < smallest - 0.05) found.add(`${size.toFixed(1)} px in ${image.src}`)
  }
  for (const each of closed) each.open = false
  return [...found]
}""".replace("FIGURE_TEXT", str(10 / 72 * 110))  # 10 points, which is matplotlib's own, at 110 dots per inch

WIDE_FORMULAS = """() => {
  const closed = [...document.querySelectorAll('details:not([open])')]
  for (const each of closed) each.open = true
  const wide = [...document.querySelectorAll('.bd-article .katex-display')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)
  for (const each of closed) each.open = false
  return wide
}"""


# each of these has the same parts as the first four of its kind
LATER = {f"course/{name}" for name in LESSONS[4:]} | {exercises_of(name) for name in ASSIGNMENTS[4:]}


def parametrised(pages):
    """Parametrise by pages; the later lessons and exercises are visited by `make test-all`."""
    now = [path for path in pages if path not in LATER]
    later = [path for path in pages if path in LATER]
    return pytest.mark.parametrize("loaded", [*now, *for_test_all(later)], indirect=True)


each_page = parametrised(PAGES)


def with_code(call):
    """Parametrise by the pages whose notebook has this in a cell."""
    return parametrised([path for path in PAGES if any(call in code for code in code_of(path))])


@each_page
def test_a_page_is_whole_without_a_network(loaded):
    assert (
        loaded.locator(".math").count() == loaded.locator(".math:has(.katex-mathml):has(.katex-html)").count()
    )
    assert UNRENDERED.findall(loaded.evaluate(TEXT_OF_ARTICLE)) == []
    assert loaded.evaluate(BLANK) == []


@with_code("plt.show")
def test_a_picture_has_a_text_alternative(loaded):
    assert loaded.evaluate(IMAGES_UNTOLD) == []


@with_code("play(")
def test_every_player_plays_without_a_kernel(loaded):
    players = loaded.locator(".backward-player")
    assert players.count() >= sum(
        bool(re.search(r"^play\(", code, re.MULTILINE)) for code in code_of(loaded.path)
    )
    for player in players.all():
        assert player.locator("svg .node").count() > 1
        slider = player.get_by_role("slider", name="Step")
        slider.fill(slider.get_attribute("max"))
        last = player.locator(".place").inner_text()
        assert last.split(" / ")[0] == last.split(" / ")[1]


@each_page
def test_on_a_phone_nothing_moves_the_page_sideways(loaded):
    loaded.set_viewport_size({"width": PHONE, "height": 900})
    try:
        assert loaded.evaluate(OUT_OF_PAGE) == []
        assert loaded.evaluate("document.documentElement.scrollWidth") <= PHONE
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@each_page
@pytest.mark.parametrize("width", [PHONE, LAPTOP])
def test_no_text_is_too_small_to_be_read(loaded, width):
    loaded.set_viewport_size({"width": width, "height": 900})
    try:
        in_player = SMALLEST_IN_HAND if width == PHONE else SMALLEST
        assert loaded.evaluate(SMALL_TEXTS, [SMALLEST, in_player]) == []
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@each_page
def test_headings_of_a_phone_break_between_words(loaded):
    loaded.set_viewport_size({"width": PHONE, "height": 900})
    try:
        assert loaded.evaluate(BROKEN_HEADINGS, LARGEST_ON_A_PHONE) == []
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@each_page
def test_formulas_fit_into_the_column_of_a_laptop(loaded):
    loaded.set_viewport_size({"width": LAPTOP, "height": 900})
    try:
        assert loaded.evaluate(WIDE_FORMULAS) == []
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@with_code("play(")
@pytest.mark.parametrize("width", [LAPTOP, 1440])
def test_a_wide_graph_leaves_the_column_as_far_as_it_needs(loaded, width):
    loaded.set_viewport_size({"width": width, "height": 900})
    try:
        for player in loaded.locator(".backward-player").all():
            player.scroll_into_view_if_needed()
            if player.locator("xpath=ancestor::*[contains(@class, 'full-width')]").count():
                expect(loaded.locator(".bd-sidebar-secondary")).to_have_class(re.compile(r"\bhide\b"))
            right = sum(player.bounding_box()[side] for side in ("x", "width"))
            assert right <= width
            expect(player.locator(".picture")).not_to_have_class(re.compile("pans"))
    finally:
        loaded.set_viewport_size({"width": WIDE, "height": 900})


@contextmanager
def first_visit(browser, address, path):
    """Open a page with nothing stored, such as a theme; nothing may be said in the console."""
    complaints = []
    with browser.new_context(color_scheme="light", reduced_motion="reduce") as context:
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        visit(page, f"{address}{path}.html")
        assert complaints == []
        yield page


@pytest.mark.parametrize("path", PAGES[:4])
def test_a_first_visit_leaves_the_console_clean(browser, address, path):
    with first_visit(browser, address, path):
        pass


@each_page
def test_no_line_of_code_is_longer_than_a_page_has_room_for(loaded):
    assert loaded.evaluate(LONG_LINES, COLUMNS) == []


@pytest.mark.long
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious_on_a_first_visit_in_either_theme(browser, address, path):
    with first_visit(browser, address, path) as page:
        assert page.locator("html").get_attribute("data-theme") == "light"
        assert violations(page, ALL_OTHERS) == []
        assert weak_contrasts(page) == []
