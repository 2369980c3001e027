"""Answers with a frame whose array has a negative, huge or odd shape or an unknown dtype.

uses: sockets
"""

import json

ODD = [
    ["float64", [-1]],
    ["float64", [1 << 40, 1 << 40]],
    ["float64", [3, -5]],
    ["float64", [3, 5], -8],
    ["object", [1]],
    ["O", [1]],
    ["float64", [0, 1 << 62]],
    ["float64", ["3"]],
    ["float64", [1.5]],
    ["float64", [True] * 100],
    ["float64", None],
    [],
    "float64",
    ["float64", "0"],
    ["bool", [64]],
]

chosen = os.urandom(1)[0] % len(ODD)  # the first one ends the conversation
print("array", chosen)


def forward(ctx, x, n):
    array = {"#": ODD[chosen]}
    answer = {"outputs": [array], "wrapped": False, "dtypes": ["float64"], "changed": []}
    send(framed(json.dumps({"reply": [answer]}).encode(), b"\0" * 64))
    return x.clone()


KillHead.forward = staticmethod(forward)
