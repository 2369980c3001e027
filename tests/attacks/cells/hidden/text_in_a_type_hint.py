"""Has typing evaluate a type hint whose text changes backward.

uses: hidden
like: text_timed
"""

import typing


def hinted(x: "exec(HIDDEN, KNOWN)"):
    pass


try:
    typing.get_type_hints(hinted, {"HIDDEN": HIDDEN, "KNOWN": KNOWN})
except TypeError:  # what it gives is no type
    pass
