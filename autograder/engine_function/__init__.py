"""Exercises whose object is a course.engine Function: the probe and the truth, without torch."""
