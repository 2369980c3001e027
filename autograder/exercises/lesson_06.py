"""Lesson 6, what ctx is for."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 6

EXERCISES: tuple[Exercise, ...] = ()
