"""Computes the truth about a Function, by autograd or by differences of forward."""
