"""Has cProfile run a text that changes backward.

uses: hidden
like: text_timed
"""

import cProfile
import contextlib
import io

with contextlib.redirect_stdout(io.StringIO()):
    cProfile.runctx(HIDDEN, KNOWN, KNOWN)
