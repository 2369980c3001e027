"""Lesson 7, double backward."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 7

EXERCISES: tuple[Exercise, ...] = ()
