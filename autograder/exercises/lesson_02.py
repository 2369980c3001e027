"""Lesson 2, an engine that draws itself."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 2

EXERCISES: tuple[Exercise, ...] = ()
