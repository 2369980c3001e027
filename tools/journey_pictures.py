"""Goes the users' journeys of tests/journeys/ and makes two small pictures of them for the README.

`make screenshots` runs it; all other pictures of the journeys are in screenshots/journeys/.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import chromium
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
TAKEN = ROOT / "screenshots" / "journeys"
PICTURES = ROOT / "site" / "pictures"
WIDTH = 720  # pixels
MOST = 60_000  # bytes
# Where to find them, and the part of the window that they show: left, top, right, bottom.
PARTS = {
    "student": ("student-4-wrong", (291, 60, 1241, 876)),
    "instructor": ("instructor-7-report", (160, 0, 1120, 820)),
}


def make_small(taken: Path, part: tuple[int, int, int, int] | None, into: Path) -> None:
    """Cut a part out of a picture and store it at the width and within the bytes that the README allows.

    None is all of it.
    """
    picture = Image.open(taken).convert("RGB").crop(part)
    height = round(picture.height * WIDTH / picture.width)
    picture.resize((WIDTH, height), Image.Resampling.LANCZOS).save(into, quality=85)
    if (size := into.stat().st_size) > MOST:
        sys.exit(f"{into.name} has {size} bytes and may have {MOST}: cut a smaller part out of it.")


def main() -> None:
    """Go the journeys; make the pictures if all went well."""
    if chromium.find() is None:
        sys.exit(chromium.MISSING)
    gone = subprocess.run([sys.executable, "-m", "pytest", "-q", "tests/journeys"], cwd=ROOT)
    if gone.returncode != 0:
        sys.exit("A journey failed: see above, and its pictures in screenshots/journeys/.")
    for name, (taken, part) in PARTS.items():
        make_small(TAKEN / f"{taken}.png", part, PICTURES / f"{name}.webp")
        print(f"site/pictures/{name}.webp")


if __name__ == "__main__":
    main()
