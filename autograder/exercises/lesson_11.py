"""Lesson 11, torch.func."""

from __future__ import annotations

from autograder.exercise import Exercise

LESSON = 11

EXERCISES: tuple[Exercise, ...] = ()
