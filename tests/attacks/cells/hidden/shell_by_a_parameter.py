"""Reaches the shell through exit, a name that is a parameter elsewhere, and has it evaluate a text.

uses: tangents
"""


class Named:
    _ip = ev = None


def unused(exit):
    return exit


class KillHead(KillHead):
    backward = by_tangents(lambda name: exit._ip.ev("torch." + name))
