"""Lesson 9, the layers of a network."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 9

EXERCISES: tuple[Exercise, ...] = ()
