"""Runs the work and answers about it with plain data; knows no truth."""
