"""Exercises with a probe and a verdict of their own, in a folder named after the exercise or its kind."""

import autograder.engine  # noqa: F401 - vjpcheck learns of the values that the engine has
