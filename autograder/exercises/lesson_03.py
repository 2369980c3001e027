"""Lesson 3, vector-Jacobian products of arrays."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 3

EXERCISES: tuple[Exercise, ...] = ()
