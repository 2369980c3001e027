"""Answers with frames whose arrays have negative, huge and overlapping shapes and unknown dtypes."""

import json
import os
import struct


def frame(array, body=b"\0" * 64):
    text = json.dumps({"dict": [["answer", {"dict": [["outputs", [{"array": array}]]]}]]}).encode()
    return struct.pack(">QQ", len(text), len(body)) + text + body


ODD = [
    ["float64", [-1], 0],
    ["float64", [1 << 40, 1 << 40], 0],
    ["float64", [3, 5], -8],
    ["float64", [3, 5], 1 << 70],
    ["object", [1], 0],
    ["O", [1], 0],
    ["float64", [0, 1 << 62], 0],
    ["float64", ["3"], 0],
    ["float64", [1.5], 0],
    ["float64", [True] * 100, 0],
    ["float64", None, 0],
    [],
    "float64",
    ["float64", [], "0"],
    ["bool", [64], 0],
]


def forward(ctx, x, n):
    for number in range(3, 256):
        for array in ODD:
            try:
                os.write(number, frame(array))
            except OSError:
                break
    return x.clone()


KillHead.forward = staticmethod(forward)
