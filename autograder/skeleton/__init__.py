"""Writes the skeleton of a new exercise into all its files: `autograder new ID --lesson N`."""
