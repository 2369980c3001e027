"""Exercises whose object is a dict of node name → adjoint, computed by hand."""
