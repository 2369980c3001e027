"""Holds the interpreter's lock in C for ever, in one regular expression."""

import re

re.match(r"(a|aa)+$", "a" * 200 + "b")
