"""What the template of lesson 11 is filled in with."""

from __future__ import annotations

from autograder.variants.words.lesson_06 import exp_saving_output as tanh_transformable

__all__ = ["tanh_transformable"]  # the function and its derivative in terms of the output, too
