"""JupyterLab as it opens for a student: a card to start with, the lessons, and nothing that distracts."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator

import nbformat
import pytest
from browser import needs_browser, open_browser
from lab_server import ROOT, Server, serve
from playwright.sync_api import Page, expect
from shipped import ship

pytestmark = [pytest.mark.long, needs_browser]
# Of this notebook: for a moment after a start, the current one is whichever was open before.
KERNEL_HAS_STARTED = """path => {
  const { context, content } = window.jupyterapp?.shell.currentWidget ?? {};
  return (
    context?.path === path &&
    context.sessionContext.kernelDisplayStatus === 'idle' &&
    Boolean(content.model?.getMetadata('language_info')?.version)
  );
}"""
LESSONS = sorted(path.name for path in ROOT.glob("course/*.ipynb"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = ship(tmp_path_factory.mktemp("student"))
    (folder / "my_work.py").touch()
    with serve(folder) as server:
        yield server


@pytest.fixture
def page() -> Iterator[Page]:
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(60_000)  # a machine that runs other tests is slow
        expect.set_options(timeout=60_000)
        yield page


def files(page: Page) -> list[str]:
    return page.locator(".jp-DirListing-itemText").all_inner_texts()


def show_or_hide_all_files(page: Page) -> None:
    page.get_by_role("menuitem", name="View", exact=True).click()
    page.get_by_text("Show All Files of the Course").click()


def test_the_first_card_of_the_launcher_opens_lesson_1(page, server):
    page.goto(server.address())
    first = page.locator(".jp-LauncherCard").first
    expect(first).to_have_text("Start here")
    expect(page.locator(".jp-DirListing-itemText").first).to_have_text(LESSONS[0])
    assert files(page) == LESSONS
    first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("1. Reverse accumulation")
    expect(page.locator(".jp-Launcher")).to_have_count(0)


def test_an_opened_notebook_is_not_marked_as_changed(page, server):
    """Not even when its kernel has started, which writes its language into the notebook."""
    for notebook in (f"course/{LESSONS[0]}", "exercises/04-first-function/04-exercises.ipynb"):
        page.goto(server.address(notebook))
        page.wait_for_function(KERNEL_HAS_STARTED, arg=notebook)
        assert page.locator(".jp-mod-dirty").count() == 0
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    expect(page.locator(".jp-mod-dirty").first).to_be_visible()  # what a student runs is a change


def test_a_folder_without_the_course_has_no_card(page, tmp_path):
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "own.ipynb")
    with serve(tmp_path) as server:
        page.goto(server.address())
        expect(page.locator(".jp-DirListing-itemText").first).to_have_text("own.ipynb")
        expect(page.locator(".jp-LauncherCard").first).to_be_visible()
        expect(page.locator(".jp-LauncherCard", has_text="Start here")).to_have_count(0)


def test_what_the_course_consists_of_is_listed_on_request_alone(page, server):
    page.goto(server.address("course/own_layer.py"))  # a link of a lesson opens what is not listed
    expect(page.locator(".jp-FileEditor")).to_contain_text("def ")
    expect(page.locator(".jp-DirListing-itemText").first).to_have_text(LESSONS[0])
    assert files(page) == LESSONS
    assert page.locator(".jp-Dialog").count() == 0
    page.locator(".jp-BreadCrumbs-home").click()
    expect(page.locator(".jp-DirListing-itemText", has_text="README.md")).to_be_visible()
    assert sorted(files(page)) == ["README.md", "course", "exercises", "my_work.py"]
    show_or_hide_all_files(page)
    expect(page.locator(".jp-DirListing-itemText", has_text="autograder")).to_be_visible()
    assert {"Makefile", "autograder", "my_work.py", "solutions"} <= set(files(page))
    show_or_hide_all_files(page)
    expect(page.locator(".jp-DirListing-itemText", has_text="autograder")).to_have_count(0)


def test_a_student_sees_validate_on_an_assignment_and_nothing_else_of_nbgrader(page, server):
    page.goto(server.address("exercises/04-first-function/04-exercises.ipynb"))
    page.get_by_role("button", name="Validate").wait_for()
    menus = page.locator(".lm-MenuBar-itemLabel").all_inner_texts()
    assert menus == ["File", "Edit", "View", "Run", "Kernel", "Tabs", "Settings", "Help"]
    assert page.locator(".jp-NotificationHub, .Toastify__toast").all_inner_texts() == []
    assert page.locator(".jp-Dialog").count() == 0
    lesson = f"course/{LESSONS[0]}"
    page.goto(server.address(lesson))
    page.wait_for_function(KERNEL_HAS_STARTED, arg=lesson)
    expect(page.locator(".jp-NotebookPanel:visible").get_by_role("button", name="Validate")).to_have_count(0)


SOURCES = """(path) => {
  const open = [...jupyterapp.shell.widgets('main')].find((each) => each.context?.path === path)
  return [...open.content.model.cells].map((cell) => [cell.id, cell.sharedModel.getSource()])
}"""


def address_with_typed(server: Server, lesson: str, typed: list[tuple[str, str, str]]) -> str:
    """Return the address of a lesson as the site's link has it for what a reader has typed into cells."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(json.dumps(typed).encode()) + packer.flush()
    word = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"{server.address(lesson)}&typed={word}"


def test_a_lesson_opens_with_what_was_typed_on_the_site(page, server):
    """In the cells that the reader may write alone, and not in one that the lesson has otherwise."""
    lesson = f"course/{LESSONS[0]}"
    stubs = {cell.id: cell.source for cell in nbformat.read(ROOT / lesson, as_version=4).cells}
    typed = [
        ("now-corrected-code", stubs["now-corrected-code"], "corrected = 7  # typed"),
        ("now-tangents-code", "of another release", "tangents = 7  # of another release"),
        ("adjoints-by-hand", stubs["adjoints-by-hand"], "by_hand = 7  # no cell of the reader's"),
    ]
    page.goto(address_with_typed(server, lesson, typed))
    toast = page.locator(".Toastify__toast")
    expect(toast).to_contain_text("One cell of this lesson holds what you typed on the site")
    sources = page.evaluate(SOURCES, lesson)
    assert dict(sources) == {**stubs, "now-corrected-code": "corrected = 7  # typed"}
