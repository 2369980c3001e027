"""The repository's address stands in one place, and all links to it come from there."""

import re
from pathlib import Path

import repository

ROOT = Path(__file__).resolve().parent.parent
LAUNCH = re.compile(r"https://mybinder\.org/v2/[^)\s\"]*")


def test_binder_opens_a_page_of_the_course_in_jupyterlab():
    start = f"https://mybinder.org/v2/gh/{repository.owner_and_name()}/HEAD?urlpath="
    assert repository.launch() == start + "lab/tree/course/01-reverse-accumulation.ipynb"
    assert (ROOT / repository.FIRST_PAGE).is_file()


def test_the_readme_has_the_badge():
    readme = (ROOT / "README.md").read_text()
    assert repository.badge() in readme
    assert set(LAUNCH.findall(readme)) == {repository.launch()}


def test_the_reminder_follows_the_address(monkeypatch):
    for address, placeholder in (("OWNER/course", True), ("somebody/course", False)):
        monkeypatch.setattr(repository, "address", lambda address=address: f"https://github.com/{address}")
        assert repository.is_placeholder() == placeholder
        assert repository.owner_and_name() == address
