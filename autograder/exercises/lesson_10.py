"""Lesson 10, gradients of one's own choosing."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 10

EXERCISES: tuple[Exercise, ...] = ()
