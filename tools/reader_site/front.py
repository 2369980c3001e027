"""What the first page shows beside its text: a pass that runs by itself, and a card."""

from __future__ import annotations

from dataclasses import replace

from loop_picture import loop
from pictures import five_nodes

from course.graph import play
from reader_site import gallery
from vjpcheck.render.html import as_html
from vjpcheck.result import Outcome, Result

SHOWN = "diagonal-softmax"  # the anchor of the entry whose card stands on the first page


def pieces(wrongs: list[gallery.Wrong]) -> dict[str, str]:
    """Return what is put into the first page, by file name."""
    (wrong,) = (wrong for wrong in wrongs if wrong.anchor == SHOWN)
    return {
        "front/loop.html": loop(five_nodes()) + loop(five_nodes(), narrow=True),
        "front/card.html": as_html(_shortened(wrong.card)),
        "front/player.html": play(five_nodes()).html(),
    }


def _shortened(card: Result) -> Result:
    """Leave out of a card what is not needed to understand it at a glance."""
    outcomes = tuple(_without_seen(outcome) for outcome in card.outcomes if outcome.reached)
    return replace(card, outcomes=outcomes, truth="", printed="")


def _without_seen(outcome: Outcome) -> Outcome:
    return replace(outcome, findings=tuple(replace(finding, seen="") for finding in outcome.findings))
