"""Lesson 12, past autograd.Function."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 12

EXERCISES: tuple[Exercise, ...] = ()
