"""Writes a text that changes backward into a file and has runpy run it.

uses: hidden
like: text_timed
only: sandbox
"""

import os
import runpy

with open("/tmp/wyob-attack-text.py", "w") as file:
    file.write(HIDDEN)
try:
    runpy.run_path("/tmp/wyob-attack-text.py", init_globals=KNOWN)
finally:
    os.unlink("/tmp/wyob-attack-text.py")
