"""Exercises whose object is a sweep over a tape, forward or reverse."""
