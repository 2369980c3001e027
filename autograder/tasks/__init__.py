"""Exercises with a probe and a verdict of their own, a folder each, named after the exercise."""
