"""Runs the work and answers requests about it with plain data; has no access to the truth."""
