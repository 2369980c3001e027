"""Exercises whose object is a dict of node name → adjoint, worked out by hand."""
