"""Checks any backward of a torch.autograd.Function, and names the mistake in it.

Read in this order: `spec` (the specification of a Function), `probe/` (runs the work and knows no truth),
`ask/` (requests and answers), `truth/`, `case` (what one check looks at), `checks/` (what must hold),
`naming/` (the mistake behind a wrong answer), `mistakes` (why each matters), `judge`, `result` and `render/`;
`diagnosis/` and `cli` for a Function that nobody has specified.
"""

from vjpcheck.diagnosis.call import diagnose

__all__ = ["diagnose"]
