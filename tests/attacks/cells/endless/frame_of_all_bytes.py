"""Announces frames of 2^64 - 1 bytes, and then sends nothing more."""

import os
import struct
import time

for number in range(3, 256):
    try:
        os.write(number, struct.pack(">QQ", 2**64 - 1, 2**64 - 1))
    except OSError:
        pass


def forward(ctx, x, n):
    time.sleep(3600)


KillHead.forward = staticmethod(forward)
