"""Looks for secrets: environment, command lines, keys, histories, passwords, and hands them out."""

import glob
import os

found = dict(os.environ)
for pattern in (
    "/proc/*/environ",
    "/proc/*/cmdline",
    "~/.ssh/*",
    "~/.*history",
    "~/.netrc",
    "/etc/shadow",
    "~/.jupyter/*",
):
    for name in glob.glob(os.path.expanduser(pattern))[:20]:
        try:
            found[name] = open(name, "rb").read(100)
        except OSError:
            pass
assert not any("SECRET" in key for key in found), "wyob-attack-secret"
