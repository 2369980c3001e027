"""Sends answers without end, faster than they are read."""

import json
import os
import struct

text = json.dumps({"dict": [["answer", "x" * 60_000]]}).encode()
frame = struct.pack(">QQ", len(text), 0) + text


def forward(ctx, x, n):
    import socket
    import stat

    numbers = []
    for number in range(3, 256):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                numbers.append(number)
        except OSError:
            pass
    while numbers:
        for number in numbers:
            os.write(number, frame)


KillHead.forward = staticmethod(forward)
