"""Puts links to the solutions and to the gradebook where its own results are written."""

import os

for place in (".", COURSE, f"{COURSE}/autograded/attacker", f"{COURSE}/feedback/attacker"):
    for name in ("wyob-attack-link", "04-exercises.ipynb", "timestamp.txt"):
        try:
            if os.path.exists(f"{place}/{name}"):
                os.unlink(f"{place}/{name}")
            os.symlink(f"{COURSE}/solutions/04-first-function/04-exercises.ipynb", f"{place}/{name}")
        except OSError:
            pass
