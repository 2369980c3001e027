"""Changes backward in __set_name__, when a class is made that has nothing else.

uses: tangents
like: patterns
"""

from functools import reduce


class Changing:
    def __set_name__(self, owner, name):
        KillHead.backward = by_tangents(lambda name: reduce(getattr, name.split("."), torch))


class Holder:
    changing = Changing()
