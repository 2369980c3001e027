"""Checks any backward of a torch.autograd.Function and names the mistake in it.

Read in this order: `spec` (the specification of a Function), `probe/` (runs the work without the truth),
`ask/` (requests and answers), `truth/`, `case` (the data of one check), `checks/` (the conditions that must
hold), `naming/` (the mistake behind a wrong answer), `mistakes` (why each matters), `judge`, `result` and
`render/`; `diagnosis/` and `cli` check a Function that has no specification.
"""

from vjpcheck.diagnosis.call import assert_backward, diagnose
from vjpcheck.domain import Array, Domain

__all__ = ["Array", "Domain", "assert_backward", "diagnose"]
