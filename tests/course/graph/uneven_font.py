"""A font of boxes, whose letters differ in width as those of no real font do."""

import base64
import io

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

LETTERS = [chr(code) for code in range(ord("!"), ord("~") + 1)] + list("−×÷·…→∂₀₁₂₃₄₅₆₇₈₉")
WIDTHS = {letter: 250 + 7919 * ord(letter) % 700 for letter in LETTERS}  # of 1000 units to the font size


def style(selector):
    """Return a <style> that brings the font along and sets what a selector finds in it."""
    source = f"data:font/ttf;base64,{base64.b64encode(_font()).decode()}"
    return (
        f"<style>@font-face {{ font-family: Uneven; src: url({source}) }} "
        f"{selector} {{ font-family: Uneven, sans-serif !important }}</style>"
    )


def _font():
    names = {letter: f"u{ord(letter):04X}" for letter in LETTERS}
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap({ord(letter): name for letter, name in names.items()})
    boxes = {names[letter]: _box(width) for letter, width in WIDTHS.items()}
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph()} | boxes)
    metrics = {names[letter]: (width, 0) for letter, width in WIDTHS.items()}
    builder.setupHorizontalMetrics({".notdef": (500, 0)} | metrics)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Uneven", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


def _box(width):
    pen = TTGlyphPen(None)
    pen.moveTo((40, 0))
    for corner in ((40, 600), (width - 40, 600), (width - 40, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()
