"""The glossary leads from each term to a lesson that has it; the cheat sheet prints on one sheet."""

import re

import nbformat
import pytest
from site_pages import LESSONS, ROOT, SITE
from site_server import visit

ENTRIES = dict(re.findall(r"^## (.+)\n\n(.+)$", (SITE / "glossary.md").read_text(), re.MULTILINE))
BY_NUMBER = {int(name[:2]): name for name in LESSONS}
A4 = (595.3, 841.9)  # in points


def words_of(lesson):
    cells = nbformat.read(ROOT / "course" / f"{lesson}.ipynb", as_version=4).cells
    return " ".join(" ".join(cell.source for cell in cells).split()).lower()


def names_of(heading):
    """Return the names of an entry: `saved tensor (save_for_backward)` has two."""
    return [name.lower() for name in re.split(r" \(|, |\)", heading) if name]


def test_each_term_has_one_entry_in_the_order_of_the_alphabet():
    headings = re.findall(r"^## (.+)$", (SITE / "glossary.md").read_text(), re.MULTILINE)
    assert list(ENTRIES) == headings == sorted(set(headings), key=str.lower)


@pytest.mark.parametrize("heading", ENTRIES)
def test_an_entry_leads_to_a_lesson_in_which_the_term_occurs(heading):
    links = re.findall(r"\[[Ll]esson (\d+)\]\(course/(.+?)\.ipynb\)", ENTRIES[heading])
    for number, lesson in links:
        assert BY_NUMBER.get(int(number)) == lesson
        assert any(re.search(rf"\b{re.escape(name)}", words_of(lesson)) for name in names_of(heading))
    unlinked = [int(number) for number in re.findall(r"\b[Ll]esson (\d+)\b(?!\])", ENTRIES[heading])]
    assert links or unlinked
    assert not BY_NUMBER.keys() & unlinked, "this lesson exists: link to it"


def test_the_cheat_sheet_prints_on_one_sheet(page, address):
    visit(page, f"{address}cheat-sheet.html")
    sheet = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    (size,) = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", sheet)
    assert [float(length) for length in size] == pytest.approx(A4, abs=2)
