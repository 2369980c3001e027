"""A reader plays a graph by the keyboard, looks at a solution, and looks an error message up."""

import pytest
from browser import needs_browser
from built_site import build, served
from lab import PATIENCE
from playwright.sync_api import expect

pytestmark = [pytest.mark.long, needs_browser]
MESSAGE = "returned an incorrect number of gradients (expected 2, got 1)"


@pytest.fixture(scope="module")
def address(shared):
    with served(build(shared)) as address:
        yield address


class Reader:
    """A reader of the rendered course, with a browser and nothing else."""

    def __init__(self, page, address, pictures):
        self.page = page
        self.address = address
        self.pictures = pictures
        self.errors = []
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        page.set_viewport_size({"width": 1440, "height": 900})
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", lambda response: response.status >= 400 and self.errors.append(response.url))

    def opens_the_site(self):
        self.page.goto(self.address)
        self.sees("reader-1-site")

    def begins(self, title):
        """Follow the first link of the first page."""
        self.page.get_by_role("link", name="Read lesson 1").click()
        self.page.locator("article h1", has_text=title).wait_for()

    def opens(self, name, title):
        """Follow a link of the sidebar."""
        self.page.locator(".bd-sidebar-primary").get_by_role("link", name=name, exact=True).click()
        self.page.locator("article h1", has_text=title).wait_for()

    @property
    def place(self):
        """Where the player stands and where it ends."""
        return tuple(map(int, self.page.locator(".backward-player .place").first.inner_text().split(" / ")))

    def takes_the_player(self):
        """Go to the player as Tab does."""
        player = self.page.locator(".backward-player").first
        player.scroll_into_view_if_needed()
        player.get_by_role("button", name="Play").focus()
        self.sees("reader-2-player")

    def presses(self, key):
        self.page.keyboard.press(key)

    def waits_until_it_has_played(self):
        last = self.place[1]
        place = self.page.locator(".backward-player .place").first
        expect(place).to_have_text(f"{last} / {last}")
        self.sees("reader-3-played")

    def unfolds(self, name):
        """Unfold what is folded under this name and return it."""
        folded = self.page.locator("details", has=self.page.locator("summary", has_text=name))
        folded.locator("summary").first.click()
        folded.scroll_into_view_if_needed()
        self.sees("reader-4-solution")
        return folded

    def searches_for(self, words):
        """Type into the search field and return the links that are found, best first."""
        self.page.keyboard.press("ControlOrMeta+K")
        field = (
            self.page.get_by_role("searchbox")
            .locator("visible=true")
            .or_(self.page.locator("input[type=search]:visible"))
        )
        field.first.fill(words)
        field.first.press("Enter")
        found = self.page.locator(".search-results li a")
        found.first.wait_for()
        self.sees("reader-5-found")
        return found

    def follows(self, link):
        link.click()
        self.page.locator(".search-results").wait_for(state="detached")
        self.sees("reader-6-mistake")

    def sees(self, name):
        self.pictures.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=self.pictures / f"{name}.png", animations="disabled")


@pytest.fixture
def reader(page, address, pictures):
    return Reader(page, address, pictures)


def test_a_reader_needs_no_kernel(reader):
    reader.opens_the_site()
    reader.begins("1. Reverse accumulation: one backward sweep gives every derivative")
    reader.takes_the_player()
    for step in (1, 2, 3):
        reader.presses("ArrowRight")
        assert reader.place[0] == step
    reader.presses("ArrowLeft")
    assert reader.place[0] == 2
    reader.presses("Space")
    reader.waits_until_it_has_played()

    reader.opens("Exercises 4", "Exercises 4. Your first Functions")
    solution = reader.unfolds("Solution of kill_head")
    assert solution.get_by_text("class").first.is_visible()

    found = reader.searches_for(MESSAGE)
    reader.follows(found.first)
    heading = reader.page.locator("section:target, :target").first
    assert "too-few-gradients" in heading.inner_text()
    assert reader.errors == []
