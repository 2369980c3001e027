"""Writes the skeleton of a new exercise in all its places: `autograder new ID --lesson N`."""
