"""Checks a Function: one file per check, which yields findings about a case."""
