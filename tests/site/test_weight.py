"""A lesson is small on a first visit, and its styles are those that its pages need."""

import gzip

import pytest
from reader_site.unused import used
from site_pages import LESSONS
from site_server import visit
from tiers import first_now

RAW, ZIPPED = 1_500_000, 500_000  # bytes of all that a browser fetches
PACKED = (".woff", ".woff2", ".png", ".webp")  # what a server does not compress again


@pytest.mark.parametrize("lesson", first_now(LESSONS))
def test_a_lesson_is_small_on_a_first_visit(page, address, lesson):
    found = {}
    page.on("response", lambda response: found.update({response.url: response.body()}))
    visit(page, f"{address}course/{lesson}.html")
    page.wait_for_load_state("networkidle")
    zipped = [
        len(body) if url.partition("?")[0].endswith(PACKED) else len(gzip.compress(body))
        for url, body in found.items()
    ]
    assert sum(map(len, found.values())) < RAW
    assert sum(zipped) < ZIPPED


def test_a_rule_stays_where_a_page_may_need_it():
    styles = """
    .seen, .unseen { color: red } .seen .unseen { color: blue } a:not(.unseen) { color: green }
    @media print { .unseen { color: red } } @media (width > 3px) { .seen { margin: 0 } }
    @font-face { font-family: f } .a\\/b { color: red }
    """
    kept = "".join(used(styles, {"seen"}).split())
    assert kept == (
        ".seen{color:red}a:not(.unseen){color:green}@media(width>3px){.seen{margin:0}}"
        "@font-face{font-family:f}.a\\/b{color:red}"
    )
