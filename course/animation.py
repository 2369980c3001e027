"""A picture that moves: frames with a slider and a play button. All of it travels with the page."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Sequence
from html import escape
from importlib import resources

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from PIL import Image

DOTS_PER_INCH = 100
COLOURS = 64  # of a frame: few, so that the page stays small
BUTTON = "font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 6px"


class Animation:
    """Frames with their captions; a notebook shows them, and a page without scripts the last one.

    The script begins with the first frame. `frames` are WebP images, with a caption each. `alt` says in words
    what the frames show.
    """

    def __init__(self, frames: Sequence[bytes], captions: Sequence[str], alt: str) -> None:
        self.frames, self.captions, self.alt = tuple(frames), tuple(captions), alt

    def html(self) -> str:
        """Return the frames as HTML for a page to hold, with the controls, which a script switches on."""
        sources = ["data:image/webp;base64," + base64.b64encode(frame).decode() for frame in self.frames]
        *others, _ = sources  # the last one is the image's
        data = json.dumps({"sources": others, "captions": self.captions}).replace("<", "\\u003c")
        script = resources.files("course").joinpath("animation.js").read_text(encoding="utf-8")
        last = len(self.frames) - 1
        parts = [
            '<div class="frame-animation" role="group" aria-label="Animation"',
            'data-lm-suppress-shortcuts="true"',  # else JupyterLab takes the arrow keys
            'style="max-width: 460px; color: var(--jp-content-font-color1, inherit)">',
            f'<img src="{sources[last]}" alt="{escape(self.alt)}" style="max-width: 100%">',
            f'<p class="caption" style="margin: 0 0 6px">{escape(self.captions[last])}</p>',
            '<p class="controls" hidden style="margin: 0">',
            f'<button type="button" style="{BUTTON}">Play</button>',
            f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Frame"',
            'style="width: 60%; vertical-align: middle; accent-color: #d55e00"></p>',
            f'<script type="application/json">{data}</script>',
            f"<script>(() => {{\n{script}}})();</script></div>",
        ]
        return "\n".join(parts)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": self.alt, "text/html": self.html(), "image/png": self._still()}

    def _still(self) -> str:
        """Return the first frame as a notebook stores a picture, where no HTML is shown."""
        packed = io.BytesIO()
        Image.open(io.BytesIO(self.frames[0])).quantize(COLOURS).save(packed, "PNG", optimize=True)
        return base64.b64encode(packed.getvalue()).decode()


def animation(
    draw: Callable[[Axes, int], object],
    captions: Sequence[str],
    *,
    alt: str,
    size: tuple[float, float] = (4.2, 3.2),
) -> Animation:
    """Draw one frame per caption by `draw(axes, index)`, on the page's own ground; `size` is in inches."""
    return Animation([_frame(draw, index, size) for index in range(len(captions))], captions, alt)


def _frame(draw: Callable[[Axes, int], object], index: int, size: tuple[float, float]) -> bytes:
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    draw(axes, index)
    drawn, packed = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, dpi=DOTS_PER_INCH)
    plt.close(figure)
    few = Image.open(drawn).convert("RGBA").quantize(COLOURS).convert("RGBA")
    few.save(packed, "WEBP", lossless=True, quality=100)
    return packed.getvalue()
