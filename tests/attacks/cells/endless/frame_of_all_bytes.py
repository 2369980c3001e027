"""Announces frames of 2^64 - 1 bytes, and then sends nothing more.

uses: sockets
"""

import time


def forward(ctx, x, n):
    send(wire.LENGTH.pack(2**64 - 1, 2**64 - 1, 2**64 - 1))
    time.sleep(3600)


KillHead.forward = staticmethod(forward)
