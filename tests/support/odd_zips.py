"""Archives as they should not be: cut off, locked, nested, far too large, with links and odd names."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Callable

from made_class import zipped
from made_course import NOTEBOOK


def cut_off(work: bytes) -> bytes:
    return zipped({NOTEBOOK: work})[:-30]


def damaged(work: bytes) -> bytes:
    """One byte of the notebook is another: its checksum is not that of the archive."""
    whole = bytearray(zipped({NOTEBOOK: work}))
    whole[whole.index(work[:40]) + 20] ^= 1
    return bytes(whole)


def locked(work: bytes) -> bytes:
    """The archive says that its file has a password, in both of its headers."""
    whole = bytearray(zipped({NOTEBOOK: work}))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = whole.index(header) + flags
        struct.pack_into("<H", whole, place, struct.unpack_from("<H", whole, place)[0] | 1)
    return bytes(whole)


def nested(work: bytes) -> bytes:
    return zipped({"inner.zip": zipped({NOTEBOOK: work})})


def linked(work: bytes) -> bytes:
    entry = zipfile.ZipInfo(NOTEBOOK)
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return _written([(entry, b"/etc/passwd")])


def bomb(work: bytes) -> bytes:
    """A few kilobytes that become 72 MB of notebooks, each of an allowed size."""
    return _written([(f"{number}.ipynb", bytes(9 << 20)) for number in range(8)], zipfile.ZIP_DEFLATED)


def crowd(work: bytes) -> bytes:
    return zipped({f"{number}.txt": b"" for number in range(501)} | {NOTEBOOK: work})


def tar(work: bytes) -> bytes:
    return b"\x1f\x8b not looked at"


def no_utf8(work: bytes) -> bytes:
    """It claims that its names are UTF-8, and they are Latin-1."""
    return zipped({"hömework.ipynb": work}).replace("hömework".encode(), b"h\xf6\xf6mework")


def _written(entries: list[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_STORED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return held.getvalue()


# the file's name, what makes it, and what is said of it
ODD: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("cut_off.zip", cut_off, "is not a readable zip file"),
    ("damaged.zip", damaged, "is damaged"),
    ("locked.zip", locked, "has a password"),
    ("nested.zip", nested, "contains no notebook, only a further archive, inner.zip: unpack it"),
    ("linked.zip", linked, "is a symbolic link"),
    ("bomb.zip", bomb, "has more than 50 MB of notebooks in it"),
    ("crowd.zip", crowd, "has more than 500 files in it"),
    ("work.tar.gz", tar, "is not a zip file, and other archives are not opened"),
    ("no_utf8.zip", no_utf8, "is not a readable zip file"),
]
