"""Makes the parts of the first page that come from running code: a player, and a wrong backward's card."""

from __future__ import annotations

from dataclasses import replace

from pictures import five_nodes

from course.graph import play
from reader_site import gallery, gallery_page
from vjpcheck.render.html import as_html
from vjpcheck.result import Outcome, Result

SHOWN = "softmax-across-rows"  # the anchor of the entry whose card stands on the first page
STEP = 8  # of the player: a product is on its way, and most adjoints are there


def pieces(wrongs: list[gallery.Wrong]) -> dict[str, str]:
    """Return what is put into the first page, by file name."""
    (wrong,) = (wrong for wrong in wrongs if wrong.anchor == SHOWN)
    return {
        "front/says.html": gallery_page.says(wrong),
        "front/card.html": as_html(_shortened(wrong.card)),
        "front/player.html": play(five_nodes(), step=STEP).html(),
    }


def _shortened(card: Result) -> Result:
    """Leave out of a card what is not needed to understand it at a glance."""
    outcomes = tuple(_without_seen(outcome) for outcome in card.outcomes if outcome.findings)
    return replace(card, outcomes=outcomes, truth="", printed="")


def _without_seen(outcome: Outcome) -> Outcome:
    return replace(outcome, findings=tuple(replace(finding, seen="") for finding in outcome.findings))
