"""Has doctest run a text that changes backward.

uses: hidden
like: text_timed
"""

import doctest

LINES = HIDDEN.strip().splitlines()
TEXT = "\n".join(f"{'>>>' if line and line[0] != ' ' else '...'} {line}" for line in LINES)
test = doctest.DocTestParser().get_doctest(TEXT, KNOWN, "example", None, 0)
doctest.DocTestRunner(verbose=False).run(test, out=lambda told: None, clear_globs=False)
