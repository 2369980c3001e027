"""Renders a result as HTML, in the colours of the page that shows it."""

from __future__ import annotations

from vjpcheck.escaping import for_html
from vjpcheck.mistakes import why
from vjpcheck.render import shapes, site
from vjpcheck.render.heat_maps import as_maps
from vjpcheck.render.jacobians import in_words
from vjpcheck.render.text import in_a_line, not_reached, remark, state
from vjpcheck.result import Finding, Jacobians, Outcome, Result, Shapes

# Okabe-Ito green and vermilion; everything else is the page's own colour, so light and dark both work.
# nbgrader's feedback page (#notebook-container) colours .mark yellow and removes each summary's triangle.
STYLE = """
.wyob-result { border: 1px solid rgba(128,128,128,.45); border-left: 5px solid #D55E00; border-radius: 4px;
  padding: .6em 1em .7em; margin: .3em 0; max-width: 54em; line-height: 1.5; font-size: 14px; }
.wyob-result.right { border-left-color: #009E73; }
.wyob-result.unjudged { border-left-color: #808080; }
.wyob-result > p { margin: .15em 0; }
.wyob-result .head { font-weight: 600; margin-bottom: .35em; }
.wyob-result .score { float: right; font-variant-numeric: tabular-nums; }
.wyob-result ul { list-style: none; margin: 0; padding: 0; }
.wyob-result li { margin: 0; padding: .1em 0; display: flow-root; }
.wyob-result .mark { display: inline-block; width: 1.4em; font-weight: 700; padding: 0; background: none;
  color: inherit; }
.wyob-result .pass > .mark { color: #009E73; }
.wyob-result .fail > .mark { color: #D55E00; }
.wyob-result .skip { opacity: .7; }
.wyob-result .finding { margin: .2em 0 .5em 1.4em; }
.wyob-result .finding p { margin: .15em 0; }
.wyob-result .remark { margin: .4em 0 0; }
.wyob-result .remark p { margin: 0; }
.wyob-result .remark li { padding-left: 1.4em; }
.wyob-result figure { margin: .4em 0 .5em; max-width: 100%; overflow-x: auto; }
.wyob-result figure svg { display: block; max-width: none; }
.wyob-result figcaption { font-size: 12px; opacity: .85; }
.wyob-result code { font-size: 92%; }
.wyob-result pre { margin: .3em 0 0; max-height: 12em; overflow: auto; font-size: 12px; }
.wyob-result summary, #notebook-container summary { display: list-item; cursor: pointer; }
"""


def as_html(result: Result) -> str:
    """Return the result as a self-contained fragment with all text of the student escaped."""
    kind = "unjudged" if result.refusal else "right" if result.passed else "wrong"
    verdict = state(result)
    checks = "".join(_check(outcome, result.points[outcome.check]) for outcome in result.outcomes)
    points = _score(f"{result.score:g} of {result.max_score:g} points") if result.max_score else ""
    note = result.refusal or result.truth
    why = f"<p>{for_html(note)}</p>" if note else ""
    printed = result.printed.strip()
    output = (
        f"<details><summary>Your code printed</summary><pre>{for_html(printed)}</pre></details>"
        if printed
        else ""
    )
    return (
        f"<style>{STYLE}</style>"
        f'<div class="wyob-result {kind} tex2jax_ignore" role="group" '
        f'aria-label="{for_html(result.name)}: {verdict}">'
        f'<div class="head"><code>{for_html(result.name)}</code>: {verdict}'
        f"{points}</div>{why}<ul>{checks}</ul>{_remarks(result)}{_another(result.second_way)}{output}</div>"
    )


def _remarks(result: Result) -> str:
    if not result.remarks:
        return ""
    sentences = "".join(f"<li>{_with_code(sentence)}</li>" for sentence in result.remarks)
    return f'<div class="remark"><p>{remark(result)}</p><ul>{sentences}</ul></div>'


def _with_code(sentence: str) -> str:
    """Return a sentence with the part between the first and the last backquote as code."""
    before, quote, rest = sentence.partition("`")
    code, _, after = rest.rpartition("`")
    return f"{for_html(before)}<code>{for_html(code)}</code>{for_html(after)}" if quote else for_html(before)


def _another(second_way: str) -> str:
    return (
        f"<details><summary>Another way</summary><p>{for_html(second_way)}</p></details>"
        if second_way
        else ""
    )


def in_short(result: Result) -> str:
    """Return the verdict in one line, as a fragment of a page."""
    return (
        f"<style>{STYLE}</style>"
        f'<div class="wyob-result {"right" if result.passed else "wrong"}">'
        f"{for_html(in_a_line(result))}</div>"
    )


def _check(outcome: Outcome, points: float) -> str:
    kind, mark, word = (
        ("pass", "✓", "passed")
        if outcome.passed
        else ("fail", "✗", "failed")
        if outcome.reached
        else ("skip", "–", "not reached")
    )
    earned = _score(f"{points if outcome.passed else 0:g} / {points:g}") if points else ""
    note = "" if outcome.reached else f" ({not_reached(outcome)})"
    findings = "".join(_finding(finding) for finding in outcome.findings)
    return (
        f'<li class="{kind}"><span class="mark" role="img" aria-label="{word}">{mark}</span>'
        f"{for_html(outcome.check)}{note}{earned}{findings}</li>"
    )


def _score(text: str) -> str:
    return f'<span class="score">{text}</span>'


def _finding(finding: Finding) -> str:
    name = f"{_named(finding.mistake)} " if finding.mistake else ""
    call = f"<p>Seen in {for_html(finding.seen)}</p>" if finding.seen else ""
    reason = f"<p>{for_html(why(finding))}</p>" if finding.mistake else ""
    hint = (
        f"<details><summary>Hint</summary><p>{for_html(finding.hint)}</p></details>" if finding.hint else ""
    )
    drawn = _drawn(finding.jacobians) if finding.jacobians else ""
    drawn += _shapes(finding.shapes) if finding.shapes else ""
    warning = "Warning: " * finding.warning
    said = f"{name}{warning}{for_html(finding.message)}"
    return f'<div class="finding"><p>{said}</p>{call}{reason}{drawn}{hint}</div>'


def _named(mistake: str) -> str:
    """Return the name of a mistake, with a link to its entry in the table if the site is published."""
    code, entry = f"<code>{mistake}</code>", site.entry(mistake)
    return f'<a href="{for_html(entry)}" target="_blank" rel="noopener">{code}</a>' if entry else code


def _shapes(pair: Shapes) -> str:
    svg = shapes.as_svg(pair)
    return f"<figure>{svg}</figure>" if svg else ""


def _drawn(jacobians: Jacobians) -> str:
    maps = as_maps(jacobians)
    caption = (
        "One row per output entry, one column per input entry; wrong entries are outlined. "
        "Orange to brown is positive, violet is negative, blank is 0."
        if maps
        else in_words(jacobians)
    )
    return f"<figure>{maps}<figcaption>{for_html(caption)}</figcaption></figure>"
