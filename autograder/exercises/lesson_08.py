"""Lesson 8, NumPy, SciPy and modules."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 8

EXERCISES: tuple[Exercise, ...] = ()
