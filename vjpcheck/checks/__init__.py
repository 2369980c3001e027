"""The checks of a Function, one a file: each yields findings about a case."""
