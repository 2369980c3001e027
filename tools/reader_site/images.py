"""Has a page fetch its images when the reader comes near them: those below the fold wait, in their own size.

The frames of an animation lie in its page, for JupyterLab; the site has them as files.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

FRAME = re.compile(r"data:image/webp;base64,([A-Za-z0-9+/=]+)")
IMAGE = re.compile(r'<img (?=[^>]*src="([^":]+\.(?:png|webp))")')
FOLDER = "_images"


def wait(html: Path) -> None:
    """Rewrite the images in all pages of a built site."""
    for path in html.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        text = FRAME.sub(lambda frame: _as_file(base64.b64decode(frame[1]), path, html), text)
        path.write_text(IMAGE.sub(lambda image: _sized(path.parent, image[1]), text), encoding="utf-8")


def _as_file(image: bytes, page: Path, html: Path) -> str:
    """Write a frame into a file, and return its address relative to the page."""
    name = f"{hashlib.sha256(image).hexdigest()[:16]}.webp"
    (html / FOLDER).mkdir(exist_ok=True)
    (html / FOLDER / name).write_bytes(image)
    return "../" * len(page.relative_to(html).parents[1:]) + f"{FOLDER}/{name}"


def _sized(folder: Path, source: str) -> str:
    """Return the beginning of an image's tag, with its size and the wish to wait."""
    with Image.open(folder / urlsplit(unescape(source)).path) as image:
        width, height = image.size
    return f'<img loading="lazy" width="{width}" height="{height}" '
