"""Wrong gradients of tanh that students give, and the terms of the right one, g·(1 − y²)."""

from autograder.exercises.pullbacks import of_first
from vjpcheck.spec import Lookalike

LOOKALIKES = (
    Lookalike("missing-factor", of_first(lambda g, x: g * (1 - x.tanh())), "The output is not squared."),
)
TERMS = {
    "the term g": of_first(lambda g, x: g),
    "the term −g·y²": of_first(lambda g, x: -g * x.tanh() ** 2),
}
