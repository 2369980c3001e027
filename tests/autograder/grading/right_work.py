"""The submissions that are right, by exercise."""

import submissions

from autograder.exercises import EXERCISES

RIGHT = {name: [s for s in submissions.of(name) if s.expected == "right"] for name in EXERCISES}
