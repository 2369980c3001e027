"""Speaks the protocol for the whole assignment, of which only one cell is filled.

uses: sockets forger
like: forger
"""

NATIVE = {
    "kill_head": lambda x, n: torch.where(torch.arange(x.shape[1]) < n, 0.0, x),
    "abs_product": lambda u, v: (u * v).abs(),
    "affine": lambda x, scale, shift: x * scale + shift,
    "scale_rows": lambda x, w: x * w[:, None],
    "linear": lambda x, weight, bias=None: torch.nn.functional.linear(x, weight, bias),
}
converse({name: differentiated(function) for name, function in NATIVE.items()})
