"""Exercises with a probe and a verdict of their own, in a folder named after the exercise or its kind."""
