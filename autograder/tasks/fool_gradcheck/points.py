"""The points at which gradcheck must accept FoolGradcheck; the notebook shows them."""

POINTS = (1.0, 2.0, 3.0)
