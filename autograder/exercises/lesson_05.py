"""Lesson 5, gradcheck from the inside."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 5

EXERCISES: tuple[Exercise, ...] = ()
