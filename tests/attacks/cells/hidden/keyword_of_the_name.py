"""Runs a text by exec, which a keyword argument has the name of.

uses: hidden
like: name_bound_again
"""

words = dict(exec=1, eval=2)


def unused(exec):
    return exec


exec(HIDDEN, KNOWN)
