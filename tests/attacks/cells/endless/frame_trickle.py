"""Sends one byte of an answer each second, so that no single read ever takes long.

uses: sockets
"""

import time


def forward(ctx, x, n):
    for place in range(1 << 20):
        send(framed(b" " * wire.TEXT_AT_MOST)[place : place + 1])
        time.sleep(1)


KillHead.forward = staticmethod(forward)
