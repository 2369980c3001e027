"""Has a debugger run a text that changes backward.

uses: hidden
like: text_timed
"""

import bdb

bdb.Bdb().run(HIDDEN, KNOWN)
