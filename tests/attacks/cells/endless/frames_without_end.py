"""Sends answers without end, faster than they are read.

uses: sockets
"""

frame = framed(b'{"reply":["' + b"x" * 60_000 + b'"]}')


def forward(ctx, x, n):
    while True:
        send(frame)


KillHead.forward = staticmethod(forward)
