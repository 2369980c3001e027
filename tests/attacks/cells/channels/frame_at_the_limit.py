"""Sends frames just below the limit that turn into very many objects when they are decoded.

uses: sockets
"""

BODY = b'{"reply":[' + b"[]," * ((wire.TEXT_AT_MOST - 20) // 3) + b"[]]}"


def forward(ctx, x, n):
    for _ in range(4):
        send(framed(BODY))
    return x.clone()


KillHead.forward = staticmethod(forward)
