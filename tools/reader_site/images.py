"""Has a page fetch its images when the reader comes near them: those below the fold wait, in their own size.

The frames of an animation lie in its page, for JupyterLab; the site has them as files.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from html import unescape
from pathlib import Path
from typing import NamedTuple

from PIL import Image

FRAME = re.compile(r"data:image/webp;base64,([A-Za-z0-9+/=]+)")
IMAGE = re.compile(r'<img (?=[^>]*src="([^":]+\.(?:png|webp))")')
FOLDER = "_images"


def wait(html: Path) -> None:
    """Rewrite the images in all pages of a built site."""
    for path in html.rglob("*.html"):
        page = _Page(path.parent, html / FOLDER)
        text = FRAME.sub(page.as_file, path.read_text(encoding="utf-8"))
        path.write_text(IMAGE.sub(page.sized, text), encoding="utf-8")


class _Page(NamedTuple):
    folder: Path
    images: Path

    def as_file(self, frame: re.Match[str]) -> str:
        """Write a frame into a file, and return its address relative to the page."""
        content = base64.b64decode(frame[1])
        path = self.images / f"{hashlib.sha256(content).hexdigest()[:16]}.webp"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def sized(self, tag: re.Match[str]) -> str:
        """Return the beginning of an image's tag, with its size and the wish to wait."""
        with Image.open(self.folder / unescape(tag[1])) as image:
            width, height = image.size
        return f'<img loading="lazy" width="{width}" height="{height}" '
