"""Formulas are set when the site is built: their letters are in the fonts, and an error fails the build."""

import subprocess
import sys

import pytest
from fontTools.ttLib import TTFont
from reader_site import ROOT
from site_pages import ASSIGNMENTS, LESSONS, exercises_of
from site_server import PHONE, visit
from tiers import for_test_all

NOW = [f"course/{LESSONS[4]}", exercises_of(ASSIGNMENTS[8])]
LATER = {*(f"course/{name}" for name in LESSONS), *map(exercises_of, ASSIGNMENTS)} - {*NOW}
# the letters of each font, by the font's family, style and weight
LETTERS = """() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true
  const found = {}
  for (const formula of document.querySelectorAll('.katex-html')) {
    const walk = document.createTreeWalker(formula, NodeFilter.SHOW_TEXT)
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      const { fontFamily, fontStyle, fontWeight } = getComputedStyle(text.parentElement)
      const font = `${fontFamily.split(',')[0]} ${fontStyle} ${fontWeight}`
      found[font] = (found[font] ?? '') + text.data
    }
  }
  return found
}"""
# a mark that stands to the left of the short formula before it has begun a line
ALONE = """() => {
  for (const fold of document.querySelectorAll('details')) fold.open = true
  const range = document.createRange()
  return [...document.querySelectorAll('span.math')].filter((formula) => {
    const mark = formula.nextSibling
    const long = formula.querySelector('.katex-html').textContent.length > 12
    if (long || !/^[,.;:)]/.test(mark?.data ?? '')) return false
    range.setStart(mark, 0)
    range.setEnd(mark, 1)
    const last = [...formula.querySelectorAll('.katex-base')].at(-1).getBoundingClientRect()
    return range.getBoundingClientRect().left < last.left
  }).map((formula) => formula.parentElement.textContent)
}"""
FACES = {("normal", "400"): "Regular", ("italic", "400"): "Italic", ("normal", "700"): "Bold"}
INVISIBLE = {"\u200b", "\xa0", " "}
PROJECT = """
import sys
sys.path.insert(0, {tools!r})
extensions = ["myst_parser", "reader_site.formulas"]
myst_enable_extensions = ["dollarmath", "amsmath"]
"""


@pytest.mark.parametrize("path", [*NOW, *for_test_all(sorted(LATER))])
def test_each_letter_of_a_formula_is_in_its_font(page, address, html, path):
    visit(page, f"{address}{path}.html")
    fonts = page.evaluate(LETTERS)
    assert fonts
    for font, letters in fonts.items():
        family, style, weight = font.split()
        with TTFont(html / "_static" / "fonts" / f"{family}-{FACES[style, weight]}.woff") as file:
            assert {*letters} - INVISIBLE <= {*map(chr, file.getBestCmap())}, font


def test_a_formula_wider_than_a_phone_scrolls_in_a_box_that_the_keyboard_reaches(page, address):
    page.set_viewport_size({"width": PHONE, "height": 900})
    visit(page, f"{address}course/{LESSONS[4]}.html")
    page.wait_for_function("document.querySelector('.katex-display[tabindex]')")
    boxes = page.locator(".katex-display").evaluate_all(
        "boxes => boxes.map((box) => [box.scrollWidth > box.clientWidth + 1, box.tabIndex])"
    )
    assert {reached for wide, reached in boxes if wide} == {0}


@pytest.mark.parametrize(("formula", "sound"), [(r"\bar x = \frac{1}{2}", True), (r"\frac{1}{", False)])
def test_a_formula_with_an_error_is_named_with_its_page_and_fails_the_build(tmp_path, formula, sound):
    (tmp_path / "conf.py").write_text(PROJECT.format(tools=str(ROOT / "tools")))
    (tmp_path / "index.md").write_text(f"# A page\n\nA formula, ${formula}$, in a line.\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(tmp_path), str(tmp_path / "html")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode == 0) is sound, done.stderr
    assert sound or ("index.md" in done.stderr and repr(formula) in done.stderr)


def test_no_line_begins_with_the_comma_after_a_short_formula(page, address):
    visit(page, f"{address}{NOW[1]}.html")
    for width in (360, 390, 430, 768):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(ALONE) == []
