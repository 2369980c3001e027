"""Sends one of: JSON nested a million deep, numbers of 100,000 digits, NaN, keys that repeat.

uses: sockets
"""

TEXTS = [
    b'{"reply":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    b'{"reply":' + b'{"a":' * 1_000_000 + b"1" + b"}" * 1_000_001,
    b'{"reply":[' + b"9" * 100_000 + b"]}",
    b'{"reply":[NaN],"reply":[Infinity],"reply":[-1e999]}',
    b'{"reply":[{"#":["float64",[],"#"]}],"#":5}',
    b'{"reply":["\\ud800"]}',
    b"\xff\xfe\x00",
]
chosen = os.urandom(1)[0] % len(TEXTS)  # the first one ends the conversation
print("text", chosen)


def forward(ctx, x, n):
    send(framed(TEXTS[chosen]))
    return x.clone()


KillHead.forward = staticmethod(forward)
